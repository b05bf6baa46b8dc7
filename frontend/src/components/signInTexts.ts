import { ApiError, describeError } from "@/api/errors";
import { messages } from "@/messages";

const t = messages("common");

/** Returns seconds as "8 s" or "2 min 5 s", with spaces that do not break. */
export function waitText(seconds: number): string {
  if (seconds < 60) return `${seconds}\u00a0s`;
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)}\u00a0min${rest ? ` ${rest}\u00a0s` : ""}`;
}

/** Returns why a password or a code was not accepted, and what to do; `wait` is the seconds until it may be sent again. */
export function passwordFailure(error: unknown, wait: number): string {
  if (!(error instanceof ApiError)) return describeError(error).detail;
  const when = wait > 0 ? t("tryAgainIn", { wait: waitText(wait) }) : t("tryNow");
  switch (error.code) {
    case "wrong_credentials":
      return t("wrongCredentials");
    case "second_factor_wrong":
      return t("wrongCode");
    case "sign_in_paused":
      return t("signInPaused", { when });
    case "rate_limited":
      return t("tooManyAttempts", { when });
    case "overloaded":
    case "unavailable":
      return t("serverBusy", { when });
    case "account_disabled":
      return t("accountDisabled");
    case "offline":
    case "timeout":
      return t("noAnswerKept");
    default: {
      const { title, detail } = describeError(error);
      return detail || title;
    }
  }
}

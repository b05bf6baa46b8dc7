import { ApiError, describeError } from "@/api/errors";

/** Returns seconds as "8 s" or "2 min 5 s", with spaces that do not break. */
export function waitText(seconds: number): string {
  if (seconds < 60) return `${seconds}\u00a0s`;
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)}\u00a0min${rest ? ` ${rest}\u00a0s` : ""}`;
}

/** Returns why a password or a code was not accepted, and what to do; `wait` is the seconds until it may be sent again. */
export function passwordFailure(error: unknown, wait: number): string {
  if (!(error instanceof ApiError)) return describeError(error).detail;
  const when = wait > 0 ? `Try again in ${waitText(wait)}.` : "You can try again now.";
  switch (error.code) {
    case "wrong_credentials":
      return "Email address or password is wrong. Check both, also the Caps Lock key.";
    case "second_factor_wrong":
      return "This code is wrong, has expired or was used before. Wait for the next one, or use a recovery code.";
    case "sign_in_paused":
      return `Paused after several wrong attempts. ${when}`;
    case "rate_limited":
      return `Too many attempts came from your network. ${when}`;
    case "overloaded":
    case "unavailable":
      return `The server is busy. ${when}`;
    case "account_disabled":
      return "This account is disabled. Ask an administrator.";
    case "offline":
    case "timeout":
      return "Plimsoll does not answer. What you typed is kept: try again once you are connected.";
    default: {
      const { title, detail } = describeError(error);
      return detail || title;
    }
  }
}

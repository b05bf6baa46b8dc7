import { messages } from "@/messages";

const t = messages("common");
/** What each code of a failed sign-in by the identity provider means, and what to do. */
const texts = (): Record<string, string> => ({
  unavailable: t("providerUnavailable"),
  issuer_mismatch: t("providerIssuer"),
  attempt_unknown: t("providerAttempt"),
  declined: t("providerDeclined"),
  code_refused: t("providerCode"),
  clock_skew: t("providerClock"),
  invalid_token: t("providerToken"),
  not_invited: t("providerNotInvited"),
  email_unverified: t("providerEmailUnverified"),
  email_taken: t("providerEmailTaken"),
  account_disabled: t("providerDisabled"),
  already_linked: t("providerLinked"),
});

/** Returns the sentence for a code; an unknown one is not shown, because anybody can write it into a link. */
export function failureText(code: string): string {
  const known = texts();
  return Object.hasOwn(known, code) ? known[code]! : t("providerFailed");
}

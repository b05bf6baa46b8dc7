/** What each code of a failed sign-in by the identity provider means, and what to do. */
const TEXTS: Record<string, string> = {
  unavailable: "The identity provider does not answer. Try again in a minute, or sign in another way.",
  issuer_mismatch: "The identity provider names itself otherwise than this server expects. An administrator of this server has to correct PLIMSOLL_OIDC_ISSUER.",
  attempt_unknown: "This sign-in was begun in another browser or under another address of this server, or more than ten minutes ago. Begin it again here.",
  declined: "The identity provider did not sign you in.",
  code_refused: "The identity provider refused this sign-in. Begin it again; if that does not help, an administrator has to check client id and client secret.",
  clock_skew: "The clocks of this server and of the identity provider differ by more than 60 seconds. An administrator has to set the clock, for example by NTP.",
  invalid_token: "The identity provider's response could not be verified. Begin again; if that does not help, the server's log has the reason.",
  not_invited: "The identity provider knows you, but you have no account here. Ask an administrator of your team for an invitation to your email address.",
  email_taken: "There is already an account with your email address. Sign in to it another way, then link your identity to it.",
  account_disabled: "Your account is disabled. Ask an administrator.",
  already_linked: "This identity already signs in to another account.",
};

/** Returns the sentence for a code; an unknown one is not shown, because anybody can write it into a link. */
export function failureText(code: string): string {
  return Object.hasOwn(TEXTS, code) ? TEXTS[code]! : "The sign-in by the identity provider failed.";
}

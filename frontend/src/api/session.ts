/** The CSRF token of the session, which goes with every request that changes something, and the end of the session or of its rights. */

let csrfToken: string | null = null;

/** Returns the header that proves that a request comes from this page; empty before the session was read. */
export function csrfHeader(): Record<string, string> {
  return csrfToken === null ? {} : { "X-CSRF-Token": csrfToken };
}

/** Remembers the CSRF token of a session that was read, and returns the session. */
export function remembered<T extends { csrf_token: string | null }>(session: T): T {
  csrfToken = session.csrf_token;
  return session;
}

/** Calls `listener` when a request was refused because the last sign-in is too long ago. Returns the function that stops this. */
export function onSignInNeeded(listener: () => void): () => void {
  waiting.add(listener);
  return () => waiting.delete(listener);
}

export function signInNeeded(): void {
  waiting.forEach((listener) => listener());
}

const waiting = new Set<() => void>();
const listeners = new Set<() => void>();

/** Calls `listener` when a request was refused because the session has ended. Returns the function that stops this. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function signedOut(): void {
  listeners.forEach((listener) => listener());
}

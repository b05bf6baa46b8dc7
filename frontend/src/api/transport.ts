/** The transport of the generated client: a time limit for each request, and an ApiError for each failure. */
import { checkConnection, connectionFound, connectionLost } from "./connection";
import { offline, problemOf, timedOut } from "./errors";
import type { CreateClientConfig } from "./generated/client";
import { takeEarly } from "./requestedEarly";
import { csrfHeader, signedOut, signInNeeded } from "./session";

export const LIMIT_MS = 30_000;

const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD"]);
const SESSION_PATH = "/api/v1/session";
const SIGN_IN_PATH = "/api/v1/sessions";

/** Options for requests that compute over all trials of a run, and for uploads. */
export const LONG_LIMIT = { fetch: fetchWithin(120_000) };

/** Called by the generated client when it is loaded. The address is absolute because Node's `Request` accepts no relative one. */
export const createClientConfig: CreateClientConfig = (config) => ({
  ...config,
  baseUrl: window.location.origin,
  fetch: fetchWithin(LIMIT_MS),
  headers: { Accept: "application/json" },
  parseAs: "json",
  responseStyle: "data",
  throwOnError: true,
});

async function send(request: Request, signal: AbortSignal): Promise<Response> {
  if (!SAFE.has(request.method)) for (const [name, value] of Object.entries(csrfHeader())) request.headers.set(name, value);
  const early = await Promise.race([takeEarly(request), aborted(signal)]);
  const answer = early ?? await fetch(request, { signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    connectionLost();
    throw offline();
  });
  connectionFound();
  if (answer.status === 401 && !isSignIn(request)) signedOut();
  if (!answer.ok) {
    const problem = await problemOf(answer);
    if (problem.code === "sign_in_again") signInNeeded();
    throw problem;
  }
  // The body is read here, within the time limit.
  return new Response(answer.status === 204 ? null : await answer.text(), answer);
}

/** Rejects with the signal's reason, once it fires. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }));
}

/** Whether a 401 answers the question who is signed in, or a wrong password: no session has ended. */
function isSignIn({ url, method }: Request): boolean {
  return url.endsWith(SESSION_PATH) || (method === "POST" && url.endsWith(SIGN_IN_PATH));
}

/** Returns a `fetch` that is aborted by the caller's signal, or after the limit with an ApiError of code "timeout". */
function fetchWithin(limitMs: number): typeof fetch {
  return async (input) => {
    const request = input as Request;
    const controller = new AbortController();
    const giveUp = () => controller.abort(request.signal.reason);
    const timer = setTimeout(() => controller.abort(timedOut(limitMs)), limitMs);
    request.signal.addEventListener("abort", giveUp);
    if (request.signal.aborted) giveUp();
    try {
      return await send(request, controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) throw error;
      if (!request.signal.aborted) checkConnection();
      throw controller.signal.reason;
    } finally {
      clearTimeout(timer);
      request.signal.removeEventListener("abort", giveUp);
    }
  };
}

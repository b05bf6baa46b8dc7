/** Answers that the script in the head of the page requested before this code was loaded: see build/start.js. */

declare global {
  interface Window {
    /** By absolute address. */
    requestedEarly?: Record<string, Promise<Response>> | undefined;
  }
}

/** What was requested so long ago is requested again. */
const FRESH_MS = 10_000;

setTimeout(() => (window.requestedEarly = undefined), FRESH_MS);

/** Takes the answer to a request, which is there once; undefined where it was not requested, or failed. */
export async function takeEarly({ method, url }: Request): Promise<Response | undefined> {
  const early = window.requestedEarly?.[url];
  if (method !== "GET" || early === undefined) return undefined;
  delete window.requestedEarly?.[url];
  return early.catch(() => undefined);
}

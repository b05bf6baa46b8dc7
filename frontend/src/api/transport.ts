/** How the generated client sends a request: with a time limit, and with every failure as an ApiError. */
import { checkConnection, connectionFound, connectionLost } from "./connection";
import { offline, problemOf, timedOut } from "./errors";
import type { CreateClientConfig } from "./generated/client";

export const LIMIT_MS = 30_000;

/** Options of a call whose answer is computed from all trials of a run, and of uploads. */
export const LONG_LIMIT = { fetch: fetchWithin(120_000) };

/** Read by the generated client when it is loaded; Node's `Request`, in tests, takes no relative address. */
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
  const answer = await fetch(request, { signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    connectionLost();
    throw offline();
  });
  connectionFound();
  if (!answer.ok) throw await problemOf(answer);
  // The body is a part of the answer: it is read within the time limit.
  return new Response(answer.status === 204 ? null : await answer.text(), answer);
}

/** `fetch` that ends when the caller's signal fires, or with an ApiError of code "timeout" after the limit. */
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

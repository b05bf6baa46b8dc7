import { checkConnection, connectionFound, connectionLost } from "./connection";

/** One refused field: its JSON pointer into the request's document, and what is allowed. */
export interface FieldError {
  pointer: string;
  code: string;
  detail: string;
}

/** A problem+json answer, or "offline" when no server answered (status 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly title: string,
    readonly detail: string,
    readonly errors: readonly FieldError[] = [],
  ) {
    super(detail || title);
    this.name = "ApiError";
  }
}

interface Request {
  method?: "GET" | "POST" | "DELETE";
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** How long the whole answer may take, in milliseconds. */
  limitMs?: number;
}

export const LIMIT_MS = 30_000;
/** For answers that are computed from all trials of a run, and for uploads. */
export const LONG_LIMIT_MS = 120_000;
const BASE = "/api/v1";

export function apiUrl(path: string): string {
  return BASE + path;
}

/** Does `work` with a signal that fires when `signal` does or the limit is reached; the latter is an ApiError of code "timeout". */
async function within<T>({ signal, limitMs = LIMIT_MS }: Request, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const give = () => controller.abort(signal?.reason);
  const late = () => controller.abort(new ApiError(0, "timeout", "No answer in time", `Plimsoll did not answer within ${limitMs / 1000} s.`));
  const timer = setTimeout(late, limitMs);
  signal?.addEventListener("abort", give);
  if (signal?.aborted) give();
  try {
    return await work(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    if (!signal?.aborted) checkConnection();
    throw controller.signal.reason;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", give);
  }
}

async function send(path: string, { method = "GET", body, headers }: Request, signal: AbortSignal): Promise<Response> {
  const answer = await fetch(apiUrl(path), {
    method,
    headers: { Accept: "application/json", ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal,
  }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    connectionLost();
    throw new ApiError(0, "offline", "No answer", "Plimsoll does not answer at this address.");
  });
  connectionFound();
  return answer;
}

async function problem(answer: Response): Promise<ApiError> {
  const fallback = `The server answered ${answer.status}.`;
  try {
    const body = (await answer.json()) as Partial<ApiError>;
    return new ApiError(
      answer.status,
      body.code ?? "unknown",
      body.title ?? fallback,
      body.detail ?? body.title ?? fallback,
      body.errors ?? [],
    );
  } catch {
    return new ApiError(answer.status, "unknown", fallback, fallback);
  }
}

/** One JSON request; throws ApiError for every answer that is not 2xx. */
export async function request<T>(path: string, options: Request = {}): Promise<T> {
  return within(options, async (signal) => {
    const answer = await send(path, options, signal);
    if (!answer.ok) throw await problem(answer);
    return (answer.status === 204 ? undefined : await answer.json()) as T;
  });
}

/** One text request, for raw output and scripts. */
export async function requestText(path: string, signal?: AbortSignal): Promise<string> {
  const options = { headers: { Accept: "text/*" }, ...(signal ? { signal } : {}) };
  return within(options, async (limited) => {
    const answer = await send(path, options, limited);
    if (!answer.ok) throw await problem(answer);
    return answer.text();
  });
}

/**
 * Errors of requests, and the form field that each refused value belongs to.
 *
 * Error
 * └── ApiError            every failed request
 *     ├── problem+json    the server's answer, with its status, code, detail and refused fields
 *     ├── offline         no answer (status 0)
 *     └── timeout         no complete answer in time (status 0)
 */

/** One refused value: its JSON pointer into the request's body, and what is allowed. */
export interface FieldError {
  pointer: string;
  code: string;
  detail: string;
}

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly title: string,
    readonly detail: string,
    readonly errors: readonly FieldError[] = [],
    /** When the request may be repeated, in milliseconds since the epoch, where the server named a time. */
    readonly retryAt: number | null = null,
  ) {
    super(detail || title);
    this.name = "ApiError";
  }
}

export function offline(): ApiError {
  return new ApiError(0, "offline", "No answer", "Plimsoll does not answer at this address.");
}

export function timedOut(limitMs: number): ApiError {
  return new ApiError(0, "timeout", "No answer in time", `Plimsoll did not answer within ${limitMs / 1000} s.`);
}

/** Returns the error of an answer that is not 2xx: from its problem+json, or from its status alone. */
export async function problemOf(answer: Response): Promise<ApiError> {
  const fallback = `The server answered ${answer.status}.`;
  const body = ((await answer.json().catch(() => null)) ?? {}) as Partial<ApiError>;
  return new ApiError(answer.status, body.code ?? "unknown", body.title ?? fallback, body.detail ?? body.title ?? fallback, body.errors ?? [], retryAt(answer));
}

function retryAt(answer: Response): number | null {
  const seconds = Number(answer.headers.get("Retry-After") ?? NaN);
  return Number.isFinite(seconds) ? Date.now() + seconds * 1000 : null;
}

/**
 * Whether to repeat a failed query: the server was unreachable, or failed.
 *
 * Refusals are final. A query that timed out is not repeated, so as not to add load to a busy server.
 */
export function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return error.code !== "timeout" && (error.status === 0 || error.status >= 500);
}

/** Returns an error as a heading and a sentence. */
export function describeError(error: unknown): { title: string; detail: string } {
  if (!(error instanceof ApiError)) return { title: "This page failed", detail: error instanceof Error ? error.message : String(error) };
  if (error.code === "offline") return { title: "No answer from Plimsoll", detail: "The page retries until it answers." };
  if (error.status === 404) return { title: "Not found", detail: error.detail };
  return { title: error.title, detail: error.detail === error.title ? "" : error.detail };
}

export function fieldErrors(error: unknown): readonly FieldError[] {
  return error instanceof ApiError ? error.errors : [];
}

function isAt({ pointer }: FieldError, field: string): boolean {
  return pointer === field || pointer.startsWith(`${field}/`);
}

/** Returns the errors at a pointer or below it. */
export function errorsAt(errors: readonly FieldError[], pointer: string): FieldError[] {
  return errors.filter((error) => isAt(error, pointer));
}

/** Returns the errors that no field of the form shows. */
export function errorsOutside(errors: readonly FieldError[], pointers: readonly string[]): FieldError[] {
  return errors.filter((error) => !pointers.some((pointer) => isAt(error, pointer)));
}

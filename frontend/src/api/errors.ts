/**
 * Errors of requests, and the form field that each refused value belongs to.
 *
 * Error
 * └── ApiError            every failed request
 *     ├── problem+json    the server's answer, with its status, code, detail and refused fields
 *     ├── offline         no answer (status 0)
 *     └── timeout         no complete answer in time (status 0)
 */
import { i18n, messages } from "@/messages";
import { language } from "@/messages/language";

const t = messages("problems");

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
  return new ApiError(0, "timeout", t("noAnswerInTime"), t("slowAnswer", { seconds: limitMs / 1000 }));
}

/** Returns the error of an answer that is not 2xx: from its problem+json, or from its status alone. */
export async function problemOf(answer: Response): Promise<ApiError> {
  const fallback = t("answered", { status: answer.status });
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

const TITLES: Record<number, Parameters<typeof t>[0]> = {
  400: "titleBadRequest",
  401: "titleUnauthenticated",
  403: "titleForbidden",
  404: "titleNotFound",
  409: "titleConflict",
  410: "titleGone",
  413: "titleTooLarge",
  415: "titleUnsupported",
  422: "titleInvalid",
  429: "titleTooMany",
  500: "titleFailed",
  503: "titleUnavailable",
  507: "titleFull",
};

/** Returns an error as a heading and a sentence, in the page's language. */
export function describeError(error: unknown): { title: string; detail: string } {
  if (!(error instanceof ApiError)) return { title: t("pageFailed"), detail: error instanceof Error ? error.message : String(error) };
  if (error.code === "offline") return { title: t("noAnswer"), detail: t("retries") };
  if (error.code === "timeout") return { title: t("noAnswerInTime"), detail: error.detail };
  const translated = language() !== "en" && TITLES[error.status];
  const title = error.status === 404 ? t("titleNotFound") : translated ? t(translated) : error.title;
  return { title, detail: error.detail === error.title ? "" : problemText(error) };
}

/** Returns what is wrong: in English the server's own words; else what its code means, followed by them. */
export function problemText({ code, detail }: Pick<FieldError, "code" | "detail">): string {
  const key = "code" + code.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  if (language() === "en" || !i18n.exists(key, { ns: "problems" })) return detail;
  return t("withDetail", { text: t(key as Parameters<typeof t>[0]), detail });
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

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
import { labelText } from "@/messages/labels";
import { language } from "@/messages/language";
import { sentenceOf, type Parts } from "@/messages/sentences";

const t = messages("problems");
/** What each code means; loaded in other languages than English only. */
const meaning = (key: string, detail: string) => i18n.t(key, { ns: "refusals", detail });

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

interface Problem extends Omit<Partial<ApiError>, "errors"> {
  detail_message?: Parts | null;
  errors?: (FieldError & { detail_message?: Parts | null })[];
}

/** Returns the error of an answer that is not 2xx, in the page's language: from its problem+json, or from its status alone. */
export async function problemOf(answer: Response): Promise<ApiError> {
  const fallback = t("answered", { status: answer.status });
  const body = ((await answer.json().catch(() => null)) ?? {}) as Problem;
  const code = body.code ?? "unknown";
  const errors = (body.errors ?? []).map((each) => ({ pointer: each.pointer, code: each.code, detail: problemText(each.code, each.detail, each.detail_message, "codeOfField") }));
  return new ApiError(answer.status, code, body.title ?? fallback, problemText(code, body.detail ?? body.title ?? fallback, body.detail_message), errors, retryAt(answer));
}

/** Returns what is wrong: in English the server's own words; else its message, else what its code means and what to do, else the text `otherwise`. */
function problemText(code: string, detail: string, message?: Parts | null, otherwise?: string): string {
  if (language() === "en") return detail;
  const text = message && sentenceOf(message, labelText);
  if (text) return text;
  const key = "code" + code.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  const known = i18n.exists(key, { ns: "refusals" }) ? key : otherwise;
  return known === undefined ? detail : meaning(known, detail);
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
  return { title, detail: error.detail === error.title ? "" : error.detail };
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

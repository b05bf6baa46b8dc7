/** What the server says, in the page's language: by ids and figures, or as the server wrote it where it gives none. */
import type { MessageParts } from "@/api/generated";
import { i18n } from "@/messages";
import { labelText } from "@/messages/labels";
import { language } from "@/messages/language";
import { sentenceOf } from "@/messages/sentences";

/** Returns a sentence of the server: in English as it is, else by its message. */
export function serverText(sentence: string, message: MessageParts | null | undefined): string {
  return message && language() !== "en" ? (sentenceOf(message, labelText) ?? sentence) : sentence;
}

/** The key of a name of a definition: "metricLatencyP99Ms" for "metric" and "latency_p99_ms". */
export function keyOf(kind: string, name: string): string {
  return kind + (name.match(/[A-Za-z0-9]+/g) ?? []).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** Returns the name of what a definition can hold, such as a factor or a path; `otherwise` for what this page does not know. */
export function catalogName(kind: "notice" | "factor" | "about" | "metric" | "unit" | "path" | "pathSummary" | "hop" | "role" | "preset", name: string, otherwise: string): string {
  const key = keyOf(kind, name);
  return language() !== "en" && i18n.exists(key, { ns: "catalog" }) ? (i18n.t as (key: string, options: object) => string)(key, { ns: "catalog" }) : otherwise;
}

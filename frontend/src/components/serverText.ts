/** What the server says, in the page's language: by ids and figures, or as the server wrote it where it gives none. */
import type { MessageParts } from "@/api/generated";
import { i18n, messages } from "@/messages";
import { labelText } from "@/messages/labels";
import { language } from "@/messages/language";
import { formatNumber } from "./format";

const texts = { warnings: messages("warnings"), catalog: messages("catalog") };

type Key = Parameters<typeof texts.warnings>[0] & Parameters<typeof texts.catalog>[0];

/** Returns a sentence of the server: in English as it is, else by its message. */
export function serverText(sentence: string, message: MessageParts | null | undefined): string {
  return message && language() !== "en" ? (textOf(message) ?? sentence) : sentence;
}

/** The text of a message; null where this page does not know its id. */
function textOf({ id, figures = {} }: MessageParts): string | null {
  const [namespace, key] = id.startsWith("catalog:") ? (["catalog", id.slice("catalog:".length)] as const) : (["warnings", id] as const);
  const values = Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, valueOf(name, figure)]));
  const [count] = typeof values["count"] === "number" ? [values["count"]] : [];
  if (!i18n.exists(key, { ns: namespace, ...(count !== undefined && { count }) })) return null;
  return texts[namespace](key as Key, values);
}

function valueOf(name: string, figure: string | number | MessageParts): string | number {
  if (typeof figure === "number") return name === "count" ? figure : formatNumber(figure);
  return typeof figure === "string" ? labelText(figure) : (textOf(figure) ?? figure.id);
}

/** The key of a name of a definition: "metricLatencyP99Ms" for "metric" and "latency_p99_ms". */
function keyOf(kind: string, name: string): string {
  return kind + (name.match(/[A-Za-z0-9]+/g) ?? []).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** Returns the name of what a definition can hold, such as a factor or a path; `otherwise` for what this page does not know. */
export function catalogName(kind: "notice" | "factor" | "about" | "metric" | "unit" | "path" | "pathSummary" | "hop" | "role" | "preset", name: string, otherwise: string): string {
  const key = keyOf(kind, name);
  return language() !== "en" && i18n.exists(key, { ns: "catalog" }) ? texts.catalog(key as Key) : otherwise;
}

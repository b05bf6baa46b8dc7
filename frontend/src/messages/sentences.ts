/** Sentences of the server from their ids and figures. */
import { i18n } from "./index";
import { labelText } from "./labels";
import { languageTag } from "./language";

/** The id of a sentence and its figures; a figure may be a sentence itself. */
export interface SentenceParts {
  id: string;
  figures?: Record<string, string | number | SentenceParts>;
}

const NAMESPACES = ["warnings", "betweenRuns"];

/** Returns a sentence in the page's language; null where this page does not know its id. */
export function sentenceText({ id, figures = {} }: SentenceParts): string | null {
  const [ns, key] = id.startsWith("catalog:") ? (["catalog", id.slice("catalog:".length)] as const) : ([NAMESPACES, id] as const);
  const values = Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, valueOf(name, figure)]));
  const [count] = typeof values["count"] === "number" ? [values["count"]] : [];
  if (!i18n.exists(key, { ns: ns as string[], ...(count !== undefined && { count }) })) return null;
  return (i18n.t as (key: string, options: object) => string)(key, { ns, ...values });
}

function valueOf(name: string, figure: string | number | SentenceParts): string | number {
  if (typeof figure === "number") return name === "count" ? figure : new Intl.NumberFormat(languageTag()).format(figure).replace("-", "−");
  return typeof figure === "string" ? labelText(figure) : (sentenceText(figure) ?? figure.id);
}

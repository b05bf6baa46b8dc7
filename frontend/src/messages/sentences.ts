/** Sentences of the server from their ids and figures, in the page's language. */
import { i18n } from "./index";
import { languageTag } from "./language";

/** The id of a sentence and its figures, which may be messages themselves: `MessageParts` of the server. */
export interface Parts {
  id: string;
  figures?: Record<string, string | number | Parts>;
}

/** Of the sentences without a prefix. */
const NAMESPACES = ["warnings", "betweenRuns"];

/** Returns the text of a message; null where this page does not know its id. `figureText` gives texts among the figures in the page's language. */
export function sentenceOf({ id, figures = {} }: Parts, figureText: (text: string) => string): string | null {
  const [, prefix, key = id] = /^(catalog|reasons):(.+)$/.exec(id) ?? [];
  const values = Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, valueOf(name, figure, figureText)]));
  const [count] = typeof values["count"] === "number" ? [values["count"]] : [];
  const options = { ns: prefix ?? NAMESPACES, ...(count !== undefined && { count }) };
  if (!i18n.exists(key, options)) return null;
  return (i18n.t as (key: string, options: object) => string)(key, { ...values, ...options });
}

function valueOf(name: string, figure: string | number | Parts, figureText: (text: string) => string): string | number {
  if (typeof figure === "number") return name === "count" ? figure : new Intl.NumberFormat(languageTag(), { maximumFractionDigits: 0 }).format(figure);
  return typeof figure === "string" ? figureText(figure) : (sentenceOf(figure, figureText) ?? figure.id);
}

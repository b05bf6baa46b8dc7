/** Answers of the server in the page's language: labels by their templates, sentences by their ids. */
import { labelText } from "./labels";
import { language } from "./language";
import { sentenceText, type SentenceParts } from "./sentences";

type Fields = Record<string, unknown>;

/** Fields that hold labels. */
const LABELS = ["label", "row", "row_group", "series", "cell_label", "path_title", "metric_label", "unit"];
/** Fields that hold a definition as it was written. */
const WRITTEN = ["document", "definition", "resolved"];
/** Lists whose items have a label as their title. */
const TITLED = ["knees", "ladders"];
/** A field with ids and figures, and the field with the sentences that they make. */
const SENTENCES: readonly [suffix: RegExp, of: (name: string) => string][] = [
  [/^message$/, () => "sentence"],
  [/_message$/, (name) => name.slice(0, -"_message".length)],
  [/_messages$/, (name) => `${name.slice(0, -"_messages".length)}s`],
];

/** Returns an answer in the page's language; `more` are further fields that hold labels in it. In English it is the answer itself. */
export function localized<T>(answer: T, more: readonly string[] = []): T {
  return language() === "en" ? answer : (walked(answer, [...LABELS, ...more]) as T);
}

function walked(value: unknown, labels: readonly string[]): unknown {
  if (Array.isArray(value)) return typeof value[0] === "object" ? value.map((item) => walked(item, labels)) : value;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, item]): [string, unknown] => {
    if (typeof item === "string") return [name, labels.includes(name) ? labelText(item) : item];
    if (WRITTEN.includes(name) || /(^|_)messages?$/.test(name)) return [name, item];
    return [name, walked(item, TITLED.includes(name) ? [...labels, "title"] : labels)];
  });
  return withSentences(Object.fromEntries(entries));
}

function withSentences(found: Fields): Fields {
  for (const [name, parts] of Object.entries(found)) {
    const target = SENTENCES.find(([suffix]) => suffix.test(name))?.[1](name);
    if (target === undefined || !(target in found)) continue;
    const written = found[target];
    found[target] = Array.isArray(parts) && Array.isArray(written) ? written.map((text: unknown, at) => said(text, parts[at])) : said(written, parts);
  }
  return found;
}

function said(written: unknown, parts: unknown): unknown {
  const isParts = typeof parts === "object" && parts !== null && "id" in parts;
  return typeof written === "string" && isParts ? (sentenceText(parts as SentenceParts) ?? written) : written;
}

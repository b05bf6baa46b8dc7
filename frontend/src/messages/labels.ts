/** Labels of cells, levels and metrics in the page's language. The server writes them in English, from the templates of the catalogues `catalog` and `labels`. */
import { i18n } from "./index";
import { language } from "./language";
import { sentenceOf, type Parts } from "./sentences";

interface Templates {
  /** The key of each text without values. */
  exact: ReadonlyMap<string, string>;
  /** Labels of one level with a value. */
  levels: readonly { key: string; before: string; after: string }[];
}

const SEPARATOR = ", ";
/** Of these kinds are the names that are a label, or a part of one. */
const NAMES = /^(factor|about|metric|unit|path|preset)[A-Z]/;
/** Fields of answers that hold labels. */
const FIELDS = ["label", "row", "row_group", "series", "cell_label", "path_title", "metric_label", "unit", "method", "methods"];
/** Fields that hold a definition as it was written. */
const WRITTEN = ["document", "definition", "resolved"];
/** Fields whose texts, or whose lists of texts, have messages in the field `messages` of the answer. */
const SENTENCES = [
  ...["infeasible", "warnings", "restart_reason", "quality_rule", "source", "sentence", "detail", "failure_detail", "reason", "reasons", "effect"],
  ...["expected", "observed", "contaminated", "invalid", "not_quiet", "figures", "advice"],
];
/** Lists whose items have a label as their title. */
const TITLED = ["knees", "ladders"];

let known: Templates | undefined;
let texts = new Map<string, string>();

function templates(): Templates | undefined {
  const [names, labels] = ["catalog", "labels"].map((namespace) => i18n.getResourceBundle("en", namespace) as Record<string, string> | undefined);
  if (!names || !labels) return undefined;
  const named = [...Object.entries(names).filter(([key]) => NAMES.test(key)), ...Object.entries(labels).filter(([key]) => !key.startsWith("fact"))];
  return {
    exact: new Map(named.filter(([, text]) => !text.includes("{{")).map(([key, text]) => [text, key])),
    levels: named.flatMap(([key, text]) => {
      const [before, after] = text.split("{{value}}");
      return before === undefined || after === undefined ? [] : [{ key, before, after }];
    }),
  };
}

/** Returns a label in the page's language; a part that is no label of the server, such as a user's text, stays as it is. */
export function labelText(label: string): string {
  if (language() === "en" || label === "") return label;
  known ??= templates();
  if (!known) return label;
  let text = texts.get(label);
  if (text === undefined) {
    if (texts.size > 5000) texts = new Map();
    text = whole(label, known);
    texts.set(label, text);
  }
  return text;
}

function whole(label: string, { exact, levels }: Templates): string {
  const key = exact.get(label);
  if (key !== undefined) return said(key);
  if (label.endsWith(" (A/A)")) return said("labelDuplicate", { label: labelText(label.slice(0, -" (A/A)".length)) });
  const [before, after] = label.split(" against ", 2);
  if (before !== undefined && after !== undefined && (labelText(before) !== before || labelText(after) !== after)) return said("labelAgainst", { label: labelText(before), other: labelText(after) });
  const title = [...exact].find(([text, name]) => name === "labelLadder" && label.startsWith(`${text}: `))?.[0];
  if (title !== undefined) return said("labelLadderOf", { label: labelText(label.slice(title.length + 2)) });
  return parts(label, { exact, levels }).join("，");
}

/** The parts of a label one by one, the longest known one first: titles of paths have commas. A text without a known part is one part. */
function parts(label: string, known: Templates): string[] {
  const pieces = label.split(SEPARATOR);
  const found: string[] = [];
  let some = false;
  for (let at = 0; at < pieces.length; ) {
    let next = pieces.length;
    let text = part(pieces.slice(at, next).join(SEPARATOR), known);
    while (text === undefined && next > at + 1) text = part(pieces.slice(at, (next -= 1)).join(SEPARATOR), known);
    some ||= text !== undefined;
    found.push(text ?? pieces[at] ?? "");
    at = next;
  }
  return some ? found : [label];
}

function part(text: string, { exact, levels }: Templates): string | undefined {
  const key = exact.get(text);
  if (key !== undefined) return said(key);
  for (const { key: level, before, after } of levels) {
    const value = text.startsWith(before) && text.endsWith(after) ? text.slice(before.length, text.length - after.length) : "";
    if (/^\S+$/.test(value)) return said(level, { value });
  }
  return undefined;
}

function said(key: string, values: Record<string, string> = {}): string {
  return (i18n.t as (key: string, options: object) => string)(key, { ns: /^(level|label|presetSummary|method|study|studyEnvironment|claim)[A-Z]/.test(key) ? "labels" : "catalog", ...values });
}

/** Returns an answer of the server with its labels and sentences in the page's language: `x` by its message `x_message`, others by `messages`; `more` are further fields that hold labels in it. In English it is the answer itself. */
export function localized<T>(answer: T, more: readonly string[] = []): T {
  return language() === "en" ? answer : (walked(answer, [...FIELDS, ...more], {}) as T);
}

function walked(value: unknown, fields: readonly string[], known: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return typeof value[0] === "object" ? value.map((item) => walked(item, fields, known)) : value;
  if (!isObject(value)) return value;
  const messages = isObject(value["messages"]) ? value["messages"] : known;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      if (typeof item === "string") return [name, fields.includes(name) ? labelText(item) : (sentence(value, name, messages) ?? item)];
      const own = value[`${name.replace(/s$/, "")}_messages`];
      if (Array.isArray(item) && Array.isArray(own)) return [name, item.map((text: unknown, at) => textOf(own[at]) ?? text)];
      if (fields.includes(name) && Array.isArray(item) && item.every((text) => typeof text === "string")) return [name, item.map(labelText)];
      if (SENTENCES.includes(name) && Array.isArray(item)) return [name, item.map((text: unknown) => (typeof text === "string" && textOf(messages[text])) || text)];
      return [name, WRITTEN.includes(name) ? item : walked(item, TITLED.includes(name) ? [...fields, "title"] : fields, messages)];
    }),
  );
}

/** The text of a field `x` by the message `x_message` beside it, of `sentence` by `message`, or by the answer's messages. */
function sentence(answer: Record<string, unknown>, name: string, messages: Readonly<Record<string, unknown>>): string | null {
  const own = textOf(answer[name === "sentence" ? "message" : `${name}_message`]);
  if (own !== null) return own;
  const isSignal = name === "name" && "observed" in answer;
  return isSignal || SENTENCES.includes(name) ? textOf(messages[answer[name] as string]) : null;
}

function textOf(message: unknown): string | null {
  return isObject(message) && typeof message["id"] === "string" ? sentenceOf(message as unknown as Parts, labelText) : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

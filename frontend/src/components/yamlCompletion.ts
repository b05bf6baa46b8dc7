/** Completions of a definition's keys and values, from its JSON Schema and the names of factors, paths and metrics. Pure. */
import type { JsonSchema } from "@/api/experimentSchema";
import type { Factors } from "@/api/types";
import { hopName } from "./hopName";
import { contextAt, type YamlContext } from "./yamlContext";

export interface YamlOption {
  label: string;
  /** Beside the label. */
  detail: string;
  /** The documentation of the option. */
  info: string;
  /** What is written. */
  apply: string;
  kind: YamlContext["kind"];
}

/** Returns the offset of the word at a position and what can be written in its place; null where nothing is known. */
export function completionsAt(text: string, offset: number, schema: JsonSchema, vocabulary: Factors | undefined): { from: number; options: YamlOption[] } | null {
  const context = contextAt(text, offset);
  if (context === null) return null;
  const at = schemasAt(schema, context.path);
  const named = context.kind === "key" ? keys(at, context, vocabulary) : [];
  // An item of a list may be a mapping or a value.
  const options = named.length > 0 ? named : values(at, context, vocabulary);
  return options.length === 0 ? null : { from: context.from, options };
}

function alternatives(schema: JsonSchema): JsonSchema[] {
  return [schema, ...(schema.anyOf ?? []).flatMap(alternatives)];
}

function schemasAt(schema: JsonSchema, path: YamlContext["path"]): JsonSchema[] {
  let found = alternatives(schema);
  for (const step of path)
    found = found.flatMap(({ properties, items }) => {
      const next = typeof step === "number" ? items : properties?.[step];
      return next ? alternatives(next) : [];
    });
  return found;
}

function keys(at: readonly JsonSchema[], { taken, indent }: YamlContext, vocabulary: Factors | undefined): YamlOption[] {
  const known = new Map(at.flatMap(({ properties }) => Object.entries(properties ?? {})));
  return [...known]
    .filter(([name]) => !taken.includes(name))
    .map(([name, schema]) => {
      const factor = vocabulary?.factors.find((each) => each.name === name);
      const label = factor ? `${factor.label}${factor.unit ? ` (${factor.unit})` : ""}` : "";
      return { label: name, detail: label === name ? "" : label, info: factor?.about || (schema.description ?? ""), apply: name + (indent !== null && holdsKeys(schema) ? `:\n${" ".repeat(indent + 2)}` : ": "), kind: "key" };
    });
}

/** Whether only a mapping can follow, on lines of its own. */
function holdsKeys(schema: JsonSchema): boolean {
  const found = alternatives(schema);
  return found.some(({ properties }) => properties) && !found.some(({ items, enum: levels, type }) => items ?? levels ?? (type !== undefined && type !== "object" && type !== "null"));
}

function values(at: readonly JsonSchema[], { path }: YamlContext, vocabulary: Factors | undefined): YamlOption[] {
  // In place of a list, one of its items can be written.
  const found = [...at, ...at.flatMap(({ items }) => (items ? alternatives(items) : []))];
  const levels = new Set(found.flatMap((schema) => [...(schema.enum ?? []), ...("const" in schema ? [schema.const] : []), ...(scalar(schema.default) ? [schema.default] : [])]));
  const name = path.findLast((step) => typeof step === "string");
  return [...levels].filter((level) => level !== "").map((level) => ({ label: scalarText(level), ...about(scalarText(level), name, vocabulary), apply: scalarText(level), kind: "value" }));
}

function scalar(value: unknown): boolean {
  return value !== undefined && value !== null && typeof value !== "object";
}

function scalarText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function about(level: string, name: string | undefined, vocabulary: Factors | undefined): { detail: string; info: string } {
  if (name === "path") {
    const path = vocabulary?.paths.find((each) => each.name === level);
    const hops = path?.hops["on"] ?? path?.hops["off"];
    return { detail: path?.title ?? "", info: [path?.summary, hops?.map(hopName).join(" → ")].filter(Boolean).join("\n") };
  }
  const metric = name === "metrics" ? vocabulary?.metrics.find((each) => each.name === level) : undefined;
  return { detail: metric ? metric.label : "", info: metric?.unit ?? "" };
}

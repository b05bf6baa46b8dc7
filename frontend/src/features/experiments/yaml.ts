import { parse, stringify, YAMLParseError } from "yaml";
import type { ExperimentDocument } from "@/api/types";

export type Parsed = { document: ExperimentDocument } | { problem: string };

/** The document as YAML; lists of levels on one line, as people write them. */
export function toYaml(document: ExperimentDocument): string {
  return stringify(document, { lineWidth: 100, collectionStyle: "any", flowCollectionPadding: false }).replaceAll(
    /^( *)([\w-]+):\n((?:\1 {2}- (?:[^\n:"']+)\n)+)/gm,
    (_all, indent: string, name: string, items: string) => `${indent}${name}: [${items.trim().split(/\n\s*/).map((item) => item.slice(2)).join(", ")}]\n`,
  );
}

/** A document from YAML, or where and why it is none. Values are judged by the server. */
export function fromYaml(text: string): Parsed {
  try {
    const value: unknown = parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return { problem: "An experiment is a mapping: name, title, factors, …" };
    return { document: value as ExperimentDocument };
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    const at = error.linePos?.[0];
    return { problem: `${at ? `Line ${at.line}, column ${at.col}: ` : ""}${error.message.split("\n")[0]?.replace(/ at line \d+, column \d+:?$/, "") ?? ""}` };
  }
}

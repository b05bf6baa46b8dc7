import { Document, isCollection, isScalar, parse, visit, YAMLParseError } from "yaml";
import type { ExperimentDocument } from "@/api/types";

export type Parsed = { document: ExperimentDocument } | { problem: string };

/** What one line holds; longer lists stand one item a line. */
const LINE = 88;

/** The document as YAML; lists of levels on one line, as people write them. */
export function toYaml(document: ExperimentDocument): string {
  const tree = new Document(document);
  visit(tree, {
    Map: (_key, map) => {
      if (map.has("from") && map.has("to")) map.flow = true;
    },
    Seq: (_key, list) => {
      if (list.items.every(isScalar) && JSON.stringify(list).length <= LINE) list.flow = true;
      // A rule of `exclude` is short: one line each.
      for (const item of list.items) if (isCollection(item)) item.flow = true;
    },
  });
  return tree.toString({ lineWidth: 100, flowCollectionPadding: false });
}

/** A document from YAML, or where and why it is none. Values are judged by the server. */
export function fromYaml(text: string): Parsed {
  try {
    const value: unknown = parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return { problem: "An experiment is a mapping: name, title, factors, …" };
    return { document: value as ExperimentDocument };
  } catch (error) {
    // Beside syntax errors: aliases without an anchor, and those that expand beyond all bounds.
    if (!(error instanceof YAMLParseError)) return { problem: error instanceof Error ? error.message : String(error) };
    const at = error.linePos?.[0];
    return { problem: `${at ? `Line ${at.line}, column ${at.col}: ` : ""}${error.message.split("\n")[0]?.replace(/ at line \d+, column \d+:?$/, "") ?? ""}` };
  }
}

import { Document, isCollection, isScalar, parse, visit, YAMLParseError } from "yaml";
import type { ExperimentDraft } from "@/api/draft";

type Parsed = { document: ExperimentDraft } | { problem: string };

/** Lists longer than this have one item per line. */
const LINE = 88;

/** Formats the document as YAML, with lists of levels on one line. */
export function toYaml(document: ExperimentDraft): string {
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

/** Parses a document from YAML, or returns the problem with its position. The server validates the values. */
export function fromYaml(text: string): Parsed {
  try {
    const value: unknown = parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return { problem: "An experiment is a mapping: name, title, factors, …" };
    return { document: value as ExperimentDraft };
  } catch (error) {
    // Not a syntax error: an alias without an anchor, or one that expands beyond the parser's limit.
    if (!(error instanceof YAMLParseError)) return { problem: error instanceof Error ? error.message : String(error) };
    const at = error.linePos?.[0];
    return { problem: `${at ? `Line ${at.line}, column ${at.col}: ` : ""}${error.message.split("\n")[0]?.replace(/ at line \d+, column \d+:?$/, "") ?? ""}` };
  }
}

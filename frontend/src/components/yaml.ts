import { Document, isCollection, isScalar, parse, visit, YAMLParseError } from "yaml";
import type { ExperimentDraft } from "@/api/draft";

type Parsed = { document: ExperimentDraft } | { problem: string };

/** What one line holds; longer lists have one item per line. */
const LINE = 88;

/** The document as YAML; lists of levels on one line, as people write them. */
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

/** A document from YAML, or where and why it is none. Values are validated by the server. */
export function fromYaml(text: string): Parsed {
  try {
    const value: unknown = parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return { problem: "An experiment is a mapping: name, title, factors, …" };
    return { document: value as ExperimentDraft };
  } catch (error) {
    // Beside syntax errors: aliases without an anchor, and those that expand beyond all bounds.
    if (!(error instanceof YAMLParseError)) return { problem: error instanceof Error ? error.message : String(error) };
    const at = error.linePos?.[0];
    return { problem: `${at ? `Line ${at.line}, column ${at.col}: ` : ""}${error.message.split("\n")[0]?.replace(/ at line \d+, column \d+:?$/, "") ?? ""}` };
  }
}

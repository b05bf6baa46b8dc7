/** The definition as YAML text: format, parse, and the place of each problem. Pure. */
import { Document, isAlias, isCollection, isMap, isScalar, parseDocument, visit, type Document as Tree } from "yaml";
import type { ExperimentDraft } from "@/api/draft";

/** Why a text is no definition. `code` is the parser's, or one of this module's; `detail` is the parser's, in English. */
export interface YamlProblem {
  code: string;
  detail: string;
  /** Offsets in the text. */
  from: number;
  to: number;
  /** Counted from 1. */
  line: number;
  column: number;
}

type Parsed = { document: ExperimentDraft; tree: Tree } | { problem: YamlProblem };

/** Characters of the longest document that the server accepts. */
export const MAX_LENGTH = 1024 * 1024;
/** Lists longer than this have one item per line. */
const LINE = 88;

/** Formats the document as YAML, with lists of levels on one line. */
export function toYaml(document: ExperimentDraft): string {
  const tree = new Document(document);
  compact(tree.contents);
  return tree.toString({ lineWidth: 100, flowCollectionPadding: false });
}

/** Puts short lists, sweeps and rules on one line each. */
export function compact(node: unknown): void {
  visit(node as Parameters<typeof visit>[0], {
    Map: (_key, map) => {
      if (map.has("from") && map.has("to")) map.flow = true;
    },
    Seq: (_key, list) => {
      if (list.items.every(isScalar) && JSON.stringify(list).length <= LINE) list.flow = true;
      // A rule of `exclude` is short: one line each.
      for (const item of list.items) if (isCollection(item)) item.flow = true;
    },
  });
}

let newest: { text: string; parsed: Parsed } | null = null;

/** Parses a document, or returns its first problem. The server validates the values. The newest result is kept: change no part of it. */
export function parseYaml(text: string): Parsed {
  if (newest?.text !== text) newest = { text, parsed: parseAnew(text) };
  return newest.parsed;
}

/** As `parseYaml`, with a tree that may be changed. */
export function parseAnew(text: string): Parsed {
  if (text.length > MAX_LENGTH) return { problem: problemAt(text, "TOO_LARGE", "", MAX_LENGTH, text.length) };
  const tree = parseDocument(text, { prettyErrors: false });
  // A tag of another program, such as !!python/object, would be dropped: the text must say what starts.
  const [error] = [...tree.errors, ...tree.warnings];
  if (error) return { problem: problemAt(text, error.code, error.message, ...error.pos) };
  try {
    const value: unknown = tree.toJS();
    if (!isMap(tree.contents)) return { problem: problemAt(text, "NO_MAPPING", "", 0, text.length) };
    return { document: value as ExperimentDraft, tree };
  } catch (thrown) {
    // Not a syntax error: an alias without an anchor, or one that expands beyond the parser's limit.
    return { problem: aliasProblem(text, tree, thrown) };
  }
}

function aliasProblem(text: string, tree: Tree, thrown: unknown): YamlProblem {
  let range: readonly number[] | null | undefined;
  let unresolved: string | undefined;
  visit(tree, {
    Alias: (_key, alias) => {
      range = alias.range;
      if (alias.resolve(tree) !== undefined) return undefined;
      unresolved = alias.source;
      return visit.BREAK;
    },
  });
  const [from = 0, to = from] = range ?? [];
  if (unresolved !== undefined) return problemAt(text, "UNRESOLVED_ALIAS", unresolved, from, to);
  return problemAt(text, "EXCESSIVE_ALIASES", thrown instanceof Error ? thrown.message : String(thrown), from, to);
}

function problemAt(text: string, code: string, detail: string, from: number, to: number): YamlProblem {
  const start = Math.min(from, text.length);
  return { code, detail, from: start, to: Math.min(Math.max(to, start), text.length), ...placeOf(text, start) };
}

/** Returns line and column of an offset, both counted from 1. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: offset - start + 1 };
}

/** Returns the range of the value of a JSON Pointer; of the nearest part that the text has, where it lacks the value. */
export function rangeOf(tree: Tree, pointer: string): { from: number; to: number } {
  let node: unknown = tree.contents;
  let found = { from: 0, to: 0 };
  for (const step of pointer.split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (isAlias(node)) node = node.resolve(tree);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => String(isScalar(key) ? key.value : key) === name);
      if (!pair) break;
      const key = spanOf(pair.key);
      // Of a collection its key, of a value both.
      found = { from: key?.from ?? found.from, to: (isCollection(pair.value) ? key : (spanOf(pair.value) ?? key))?.to ?? found.to };
      node = pair.value;
    } else if (isCollection(node)) {
      node = node.items[Number(name)];
      if (node === undefined) break;
      found = spanOf(node) ?? found;
    } else break;
  }
  return found;
}

function spanOf(node: unknown): { from: number; to: number } | null {
  const range = (node as { range?: readonly number[] | null } | null)?.range;
  return range ? { from: range[0] ?? 0, to: range[1] ?? 0 } : null;
}

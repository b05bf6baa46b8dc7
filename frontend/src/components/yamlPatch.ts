/** Changes of a YAML text that keep its comments, order and notation. Pure. */
import { isAlias, isMap, isScalar, isSeq, visit, type Document, type Node, type YAMLMap, type YAMLSeq } from "yaml";
import type { ExperimentDraft } from "@/api/draft";
import { compact, parseAnew, parseYaml, toYaml } from "./yaml";

type Json = Record<string, unknown>;

/**
 * Returns the text with the values of a document. What is equal stays as it was written, comments too. A text that
 * cannot be parsed is replaced.
 */
export function patchYaml(text: string, next: ExperimentDraft): string {
  const value = plain(next);
  for (const expand of [false, true]) {
    const parsed = parseAnew(text);
    if ("problem" in parsed) break;
    const { tree } = parsed;
    if (equal(parsed.document, value)) return text;
    // An alias of a value that goes away is written out.
    if (expand) withoutAliases(tree);
    mergeMap(tree, tree.contents as YAMLMap, value as Json);
    const written = textOf(tree);
    const read = written === null ? null : parseYaml(written);
    if (written !== null && read && "document" in read && equal(read.document, value)) return written;
  }
  return toYaml(next);
}

/** Returns null for a tree with an alias of a removed anchor. */
function textOf(tree: Document): string | null {
  try {
    return tree.toString({ lineWidth: 0, flowCollectionPadding: false });
  } catch {
    return null;
  }
}

/** Returns the value without undefined fields, as a request would send it. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.entries(a), b as Json];
  return left.length === Object.keys(right).length && left.every(([key, value]) => Object.hasOwn(right, key) && equal(value, right[key]));
}

function withoutAliases(tree: Document): void {
  visit(tree, { Alias: (_key, alias) => newNode(tree, alias.toJS(tree)) });
  visit(tree, { Value: (_key, node) => void delete (node as { anchor?: string }).anchor });
}

/** An item of a list: a rule is on one line. */
function newItem(tree: Document, value: unknown): Node {
  return (newNode(tree, [value]) as YAMLSeq).items[0] as Node;
}

function merged(tree: Document, node: unknown, value: unknown): unknown {
  if (node !== null && equal((node as Node).toJS(tree), value)) return node;
  if (isMap(node) && isObject(value)) return mergeMap(tree, node, value);
  if (isSeq(node) && Array.isArray(value)) return mergeSeq(tree, node, value);
  const next = newNode(tree, value);
  if (isScalar(node) && isScalar(next)) {
    // The notation of the old value, such as its quotes, is not that of the new one; its comment stays.
    if (typeof node.value !== typeof next.value) delete node.type;
    delete node.source;
    node.value = next.value;
    return node;
  }
  if (node !== null && !isAlias(node)) {
    const old = node as Node;
    if (old.comment) next.comment = old.comment;
    if (old.commentBefore) next.commentBefore = old.commentBefore;
  }
  return next;
}

function newNode(tree: Document, value: unknown): Node {
  const node = tree.createNode(value);
  compact(node);
  return node;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function mergeMap(tree: Document, map: YAMLMap, value: Json): YAMLMap {
  for (const pair of [...map.items]) if (!Object.hasOwn(value, keyOf(pair.key))) map.delete(pair.key);
  for (const [key, each] of Object.entries(value)) {
    const pair = map.items.find((item) => keyOf(item.key) === key);
    if (pair) pair.value = merged(tree, pair.value, each);
    else map.add(tree.createPair(key, null));
    if (!pair) map.items.at(-1)!.value = newNode(tree, each);
  }
  return map;
}

function keyOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}

/** Items that stay keep their nodes; a changed item at the same index is merged. */
function mergeSeq(tree: Document, list: YAMLSeq, value: readonly unknown[]): YAMLSeq {
  const old = [...list.items];
  const sameLength = old.length === value.length;
  const left = new Set(old);
  list.items = value.map((each, index) => {
    const same = old.find((node) => left.has(node) && equal((node as Node).toJS(tree), each));
    const taken = same ?? (sameLength && left.has(old[index]) && !value.some((other) => equal((old[index] as Node).toJS(tree), other)) ? old[index] : undefined);
    if (taken === undefined) return newItem(tree, each);
    left.delete(taken);
    return same ?? merged(tree, taken, each);
  });
  return list;
}

/** What is being written at a position of a YAML text, which may be incomplete: a key or a value, and under which keys. Pure. */

export interface YamlContext {
  kind: "key" | "value";
  /** The keys above; a number is an item of a list. */
  path: (string | number)[];
  /** Where the word begins that is being written. */
  from: number;
  /** The column of the line's key; null inside of brackets. */
  indent: number | null;
  /** The sibling keys, which are not offered again. */
  taken: string[];
}

const LINE = /^(\s*)((?:- +)*)(?:("?)([\w./-]+)\3 *:(?=\s|$))?/;
const WORD = /[\w./*-]*$/;

interface Line {
  /** The column of the key. */
  indent: number;
  /** The columns of the dashes before it. */
  dashes: number[];
  key: string | undefined;
  rest: string;
}

function lineOf(text: string): Line {
  const [all = "", space = "", dashes = "", , key] = LINE.exec(text) ?? [];
  const columns = [...dashes.matchAll(/-/g)].map(({ index }) => space.length + index);
  return { indent: space.length + dashes.length, dashes: columns, key, rest: text.slice(all.length) };
}

/** Returns the context at an offset; null in a comment. */
export function contextAt(text: string, offset: number): YamlContext | null {
  const lines = text.slice(0, offset).split("\n");
  const written = lines.pop() ?? "";
  if (/(^|\s)#/.test(written.replaceAll(/"[^"]*"/g, ""))) return null;
  const from = offset - (WORD.exec(written)?.[0].length ?? 0);
  const line = lineOf(written);
  const above = parents(lines, line.dashes[0] ?? line.indent, line.dashes.length > 0);
  const path: (string | number)[] = [...above, ...line.dashes.map(() => 0)];
  if (line.key !== undefined) path.push(line.key);
  const flow = inFlow(line.rest);
  const kind = flow.kind ?? (line.key === undefined ? "key" : "value");
  const taken = flow.kind === undefined && kind === "key" ? siblings(text, lines.length, line.indent) : flow.taken;
  return { kind, path: [...path, ...flow.path], from, indent: flow.kind === undefined ? line.indent : null, taken };
}

/** Returns the keys of the enclosing mappings and lists of a line with this indentation. */
function parents(lines: readonly string[], indent: number, isItem: boolean): (string | number)[] {
  const path: (string | number)[] = [];
  let column = indent;
  let item = isItem;
  for (const text of lines.toReversed()) {
    const line = lineOf(text);
    if (text.trim() === "" || text.trimStart().startsWith("#")) continue;
    // The dashes of an item whose other keys are below it.
    for (const dash of line.dashes.toReversed())
      if (dash < column && !(item && dash === column)) {
        path.unshift(0);
        column = dash;
        item = true;
      }
    // A list may begin at the column of its key.
    const encloses = line.dashes.length === 0 && (line.indent < column || (item && line.indent === column));
    if (encloses && line.key !== undefined && line.rest.trim() === "") {
      path.unshift(line.key);
      column = line.indent;
      item = false;
    } else if (encloses && line.key !== undefined) column = line.indent;
    if (column === 0 && !item) break;
  }
  return path;
}

/** Returns what is being written inside of brackets, which begin on the same line. */
function inFlow(rest: string): { kind?: "key" | "value"; path: (string | number)[]; taken: string[] } {
  const open: { map: boolean; key: string | undefined; taken: string[] }[] = [];
  for (const [token] of rest.matchAll(/"[^"]*"|'[^']*'|[[\]{},]|[\w./-]+(?= *:)|:/g)) {
    const current = open.at(-1);
    if (token === "[" || token === "{") open.push({ map: token === "{", key: undefined, taken: [] });
    else if (token === "]" || token === "}") open.pop();
    else if (token === "," && current) current.key = undefined;
    else if (current?.map && current.key === undefined && token !== ":") {
      current.key = token.replaceAll(/["']/g, "");
      current.taken.push(current.key);
    }
  }
  const last = open.at(-1);
  if (!last) return { path: [], taken: [] };
  const path = open.flatMap(({ map, key }): (string | number)[] => (map ? (key === undefined ? [] : [key]) : [0]));
  return { kind: last.map && last.key === undefined ? "key" : "value", path, taken: last.taken };
}

/** Returns the keys of the lines with the same indentation around a line, without its own. */
function siblings(text: string, at: number, indent: number): string[] {
  const lines = text.split("\n");
  const found: string[] = [];
  for (const step of [-1, 1])
    for (let index = at + step; index >= 0 && index < lines.length; index += step) {
      const own = lines[index] ?? "";
      if (own.trim() === "" || own.trimStart().startsWith("#")) continue;
      const line = lineOf(own);
      if ((line.dashes[0] ?? line.indent) < indent) {
        if (step < 0 && line.indent === indent && line.key) found.push(line.key);
        break;
      }
      if (line.indent === indent && line.key !== undefined) found.push(line.key);
    }
  return found;
}

/** A request to this server as a command for a shell and as a Python program. Pure. */

export type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [name: string]: Json };

export interface CodeRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path with its query, as "/api/v1/runs". */
  path: string;
  body?: Json;
  /** The server's address without a path. */
  origin: string;
}

/** Characters that are not seen, or that change the direction of the text around them. */
const UNSEEN = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Returns a string in JSON's notation, which is Python's as well; what cannot be seen is escaped. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(UNSEEN, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

interface Words {
  true: string;
  false: string;
  null: string;
}

const IN_JSON: Words = { true: "true", false: "false", null: "null" };
const IN_PYTHON: Words = { true: "True", false: "False", null: "None" };
/** Lists up to this length are on one line. */
const LINE = 72;

function written(value: Json, words: Words, indent: string): string {
  if (value === null || value === undefined) return words.null;
  if (typeof value === "string") return quoted(value);
  if (typeof value === "boolean") return words[value ? "true" : "false"];
  if (typeof value === "number") return JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? (value as readonly Json[]).map((item) => written(item, words, inner))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([name, item]) => `${quoted(name)}: ${written(item, words, inner)}`);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  const line = open + parts.join(", ") + close;
  if (parts.length === 0 || (line.length <= LINE && !line.includes("\n"))) return line;
  return `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}

/** Returns a word of a shell: nothing in it is expanded. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** No line of a JSON text is this word, so that it ends the text. */
const END = "JSON";

/** Returns the command for curl, with the token from the variable PLIMSOLL_TOKEN. */
export function curlOf({ method, path, body, origin }: CodeRequest): string {
  const sent = body !== undefined;
  const lines = [
    `curl --silent --show-error --fail-with-body --request ${method} ${shellWord(origin + path)}`,
    `--header "Authorization: Bearer $PLIMSOLL_TOKEN"`,
    ...(sent ? [`--header 'Content-Type: application/json'`, `--data-binary @- <<'${END}'`] : []),
  ].join(" \\\n  ");
  return sent ? `${lines}\n${written(body, IN_JSON, "")}\n${END}\n` : `${lines}\n`;
}

/** Returns a program for Python's standard library, with the token from the variable PLIMSOLL_TOKEN. */
export function pythonOf({ method, path, body, origin }: CodeRequest): string {
  const sent = body !== undefined;
  return [
    ...(sent ? ["import json"] : []),
    "import os",
    "import urllib.error",
    "import urllib.request",
    "",
    ...(sent ? [`body = ${written(body, IN_PYTHON, "")}`] : []),
    "request = urllib.request.Request(",
    `  ${quoted(origin + path)},`,
    `  method="${method}",`,
    ...(sent ? ["  data=json.dumps(body).encode(),"] : []),
    "  headers={",
    `    "Authorization": "Bearer " + os.environ["PLIMSOLL_TOKEN"],`,
    ...(sent ? [`    "Content-Type": "application/json",`] : []),
    "  },",
    ")",
    "try:",
    "  with urllib.request.urlopen(request) as answer:",
    "    print(answer.read().decode())",
    "except urllib.error.HTTPError as refused:",
    "  raise SystemExit(refused.read().decode())",
    "",
  ].join("\n");
}

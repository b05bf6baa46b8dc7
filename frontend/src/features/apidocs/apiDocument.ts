/** The server's OpenAPI document: its operations by group, and the part of it that describes one of them. */

interface Media {
  schema?: unknown;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: { type?: string; anyOf?: { type?: string }[] };
}

export interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
  security?: unknown;
  "x-permission": string;
  /** The scope that a token needs; null: none; missing: no token may do this, or nothing is needed. */
  "x-token-scope"?: string | null;
}

export interface ApiDocument {
  openapi: string;
  info: { title: string; version: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
}

/** One operation with its method and path. */
export interface Entry {
  id: string;
  method: string;
  path: string;
  operation: Operation;
}

export interface Group {
  name: string;
  about: string;
  entries: Entry[];
}

/** Returns the operations by their tag, tags and operations in the document's order. */
export function groupsOf({ tags, paths }: ApiDocument): Group[] {
  const groups = new Map(tags.map(({ name, description }) => [name, { name, about: description, entries: [] as Entry[] }]));
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations))
      groups.get(operation.tags[0] ?? "")?.entries.push({ id: operation.operationId, method, path, operation });
  return [...groups.values()].filter(({ entries }) => entries.length > 0);
}

/** Returns the groups with those operations that have every word of a text in summary, id, method, path or group. */
export function matching(groups: readonly Group[], text: string): Group[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (group: Group, { id, method, path, operation }: Entry) => {
    const all = [operation.summary, id, method, path, group.name].join(" ").toLowerCase();
    return words.every((word) => all.includes(word));
  };
  return groups
    .map((group) => ({ ...group, entries: group.entries.filter((entry) => fits(group, entry)) }))
    .filter(({ entries }) => entries.length > 0);
}

const SCHEMA = "#/components/schemas/";

/** Adds the names of all schemas that a part of the document refers to, directly or by other schemas. */
function collect(part: unknown, schemas: Record<string, unknown>, found: Set<string>): void {
  if (typeof part !== "object" || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    if (key === "$ref" && typeof value === "string" && value.startsWith(SCHEMA)) {
      const name = value.slice(SCHEMA.length);
      if (!found.has(name)) {
        found.add(name);
        collect(schemas[name], schemas, found);
      }
    } else collect(value, schemas, found);
  }
}

/** Returns a parameter whose type does not say that it may be null: it is left out then. */
function withoutNull(parameter: Parameter): Parameter {
  const { anyOf, ...schema } = parameter.schema;
  const kept = anyOf?.filter(({ type }) => type !== "null") ?? [];
  return kept.length === 1 ? { ...parameter, schema: { ...schema, ...kept[0] } } : parameter;
}

/**
 * Returns a document with one operation and the schemas that it uses. Of the errors, which all have the same body, only
 * 422 keeps it; credentials are left out, because the page says who may call.
 */
export function partOf({ openapi, info, components: { schemas } }: ApiDocument, { method, path, operation }: Entry): ApiDocument {
  const responses = Object.fromEntries(
    Object.entries(operation.responses).map(([status, { content, ...rest }]) => [status, status < "400" || status === "422" ? { ...rest, ...(content && { content }) } : rest]),
  );
  const parameters = operation.parameters?.map(withoutNull);
  const kept: Operation = { ...operation, ...(parameters && { parameters }), responses };
  delete kept.security;
  const names = new Set<string>();
  collect(kept, schemas, names);
  return { openapi, info, tags: [], paths: { [path]: { [method]: kept } }, components: { schemas: Object.fromEntries([...names].map((name) => [name, schemas[name]])) } };
}

/** Whether a browser may try the operation on the page: it only reads, and answers in JSON. */
export function canTry({ method, operation }: Entry): boolean {
  const types = Object.entries(operation.responses).flatMap(([status, { content }]) => (status.startsWith("2") ? Object.keys(content ?? {}) : []));
  return method === "get" && operation["x-permission"] !== "worker" && types.length === 1 && types[0] === "application/json";
}

export type Caller = "public" | "worker" | "session" | "token";

/** Returns who may call an operation: anybody, a host's worker, only a signed-in browser, or also a token. */
export function callerOf({ operation }: Entry): Caller {
  const permission = operation["x-permission"];
  if (permission === "public" || permission === "worker") return permission;
  return operation["x-token-scope"] === undefined ? "session" : "token";
}

/** Returns the example of the body that an operation takes, as one line of JSON; undefined where there is none. */
function bodyOf({ requestBody }: Operation): string | undefined {
  const media = requestBody?.content["application/json"];
  const example = media?.example ?? Object.values(media?.examples ?? {})[0]?.value;
  return example === undefined ? undefined : JSON.stringify(example);
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns a command line that sends the operation with a token; parts of the path to fill in are in capitals. */
export function curlOf(entry: Entry, origin: string): string {
  const { method, path, operation } = entry;
  const url = origin + path.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase());
  const body = bodyOf(operation);
  const lines = [`curl${method === "get" ? "" : ` -X ${method.toUpperCase()}`} ${quoted(url)}`];
  if (callerOf(entry) !== "public") lines.push('-H "Authorization: Bearer $PLIMSOLL_TOKEN"');
  if (operation.requestBody) lines.push("-H 'Content-Type: application/json'", `-d ${body === undefined ? "@body.json" : quoted(body)}`);
  return lines.join(" \\\n  ");
}

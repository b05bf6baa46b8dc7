/** The JSON Schema (draft 7) of a definition: the parts that its completion uses. */
export interface JsonSchema {
  description?: string;
  type?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
}

/** Reads the schema, which is no part of the API's description. */
export async function readExperimentSchema(): Promise<JsonSchema> {
  const answer = await fetch(new URL("/schema/experiment.v1.json", window.location.origin));
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  return (await answer.json()) as JsonSchema;
}

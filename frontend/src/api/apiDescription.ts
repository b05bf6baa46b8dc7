/** The address of this server's OpenAPI document. */
export const OPENAPI = "/api/v1/openapi.json";

/** Reads the OpenAPI document, which is no operation of the API itself. */
export async function readApiDescription(): Promise<unknown> {
  const answer = await fetch(new Request(new URL(OPENAPI, window.location.origin)));
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  return (await answer.json()) as unknown;
}

import { vi } from "vitest";

export interface Asked {
  method: string;
  /** Path and query, as "/api/v1/runs?limit=12". */
  url: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  key: string | null;
}

/** Answers the page's requests: a Response as it is, undefined as 404, anything else as JSON. Returns the requests, oldest first. */
export function serve(answer: (asked: Asked) => unknown): Asked[] {
  const all: Asked[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname: path, search, searchParams: query } = new URL(request.url);
    const text = await request.text();
    const asked = { method: request.method, url: path + search, path, query, body: text ? (JSON.parse(text) as unknown) : undefined, key: request.headers.get("Idempotency-Key") };
    all.push(asked);
    const found = answer(asked);
    if (found instanceof Response) return found;
    return found === undefined ? refusal(404, { title: "Not found" }) : Response.json(found);
  });
  return all;
}

/** An answer of problem+json. */
export function refusal(status: number, problem: object): Response {
  return Response.json({ status, ...problem }, { status });
}

import { vi } from "vitest";

export interface SentRequest {
  method: string;
  /** Path and query, as "/api/v1/runs?limit=12". */
  url: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  key: string | null;
}

/** Stubs `fetch` with `answer`: a Response is returned unchanged, undefined is a 404, any other value is JSON. Returns the requests, oldest first. */
export function serve(answer: (request: SentRequest) => unknown): SentRequest[] {
  const all: SentRequest[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname: path, search, searchParams: query } = new URL(request.url);
    const text = await request.text();
    const sent = { method: request.method, url: path + search, path, query, body: text ? (JSON.parse(text) as unknown) : undefined, key: request.headers.get("Idempotency-Key") };
    all.push(sent);
    const found = answer(sent);
    if (found instanceof Response) return found;
    return found === undefined ? refusal(404, { title: "Not found" }) : Response.json(found);
  });
  return all;
}

/** Returns an answer of problem+json. */
export function refusal(status: number, problem: object): Response {
  return Response.json({ status, ...problem }, { status });
}

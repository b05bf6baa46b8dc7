import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { libraryRun } from "@/testing/libraryRuns";
import { useRunSearch } from "./useRunSearch";

interface Sent {
  q: string;
  signal: AbortSignal;
  answer: (body: object, status?: number) => void;
}

let sent: Sent[] = [];

/** Shows the hook; each request waits until the test answers it. */
function search(text: string, within?: string | null) {
  sent = [];
  vi.stubGlobal("fetch", (request: Request) =>
    new Promise<Response>((resolve, reject) => {
      request.signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
      sent.push({ q: new URL(request.url).searchParams.get("q") ?? "", signal: request.signal, answer: (body, status = 200) => resolve(Response.json(body, { status })) });
    }),
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return renderHook(({ text }) => useRunSearch(text, 2, within), {
    initialProps: { text },
    wrapper: ({ children }: { children: React.ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
}

const found = (numbers: number[], more: object = {}) => ({ data: numbers.map((number) => libraryRun(number)), next_cursor: null, total: numbers.length, problems: [], ...more });
const ids = (shown: { runs: readonly { id: string }[] }) => shown.runs.map(({ id }) => id);

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("search of runs", () => {
  it("has the server search what is typed, once it is typed, and gives up an answer that is not wanted any more", async () => {
    const { result, rerender } = search("", "-state:queued");
    await waitFor(() => expect(sent.map(({ q }) => q)).toEqual(["-state:queued"]));
    expect(result.current.loading).toBe(true);
    act(() => sent[0]!.answer(found([9, 8], { total: 1000 })));
    await waitFor(() => expect(ids(result.current)).toEqual(["run_9", "run_8"]));
    for (const text of ["r", "ru", "run 1"]) rerender({ text });
    await waitFor(() => expect(sent.map(({ q }) => q)).toEqual(["-state:queued", "-state:queued run 1"]));
    rerender({ text: "path:nginx_*" });
    await waitFor(() => expect(sent.map(({ q }) => q).at(-1)).toBe("-state:queued path:nginx_*"));
    await waitFor(() => expect(sent[1]!.signal.aborted).toBe(true));
    act(() => sent[2]!.answer(found([1])));
    await waitFor(() => expect(result.current.loading).toBe(false));
    expect(ids(result.current)).toEqual(["run_1"]);
  });

  it("offers of an older answer only what contains the words that are typed", async () => {
    const { result, rerender } = search("");
    await waitFor(() => expect(sent).toHaveLength(1));
    act(() => sent[0]!.answer(found([9, 8])));
    await waitFor(() => expect(ids(result.current)).toEqual(["run_9", "run_8"]));
    rerender({ text: "RUN 8" });
    expect(ids(result.current)).toEqual(["run_8"]);
    expect(result.current.loading).toBe(true);
    rerender({ text: "tag:ci" });
    expect(ids(result.current)).toEqual([]);
  });

  it("says how many more there are, and which terms were left out", async () => {
    const { result, rerender } = search("");
    await waitFor(() => expect(sent).toHaveLength(1));
    act(() => sent[0]!.answer(found([9, 8], { total: 340, next_cursor: "c" })));
    await waitFor(() => expect(result.current.note).toBe("The newest 2 of 340 runs; type more to find others."));
    rerender({ text: "pth:x" });
    await waitFor(() => expect(sent).toHaveLength(2));
    act(() => sent[1]!.answer(found([9], { problems: [{ term: "pth:x", code: "unknown_key", detail: "d", choices: [] }] })));
    await waitFor(() => expect(result.current.note).toBe("Left out of the search: pth:x"));
  });

  it("says that the server did not answer, and finds again what is typed next", async () => {
    const { result, rerender } = search("a");
    await waitFor(() => expect(sent).toHaveLength(1));
    act(() => sent[0]!.answer({ title: "Failed", status: 500 }, 500));
    await waitFor(() => expect(result.current.failed).toBe(true));
    expect(result.current.loading).toBe(false);
    act(() => result.current.retry());
    await waitFor(() => expect(sent.map(({ q }) => q)).toEqual(["a", "a"]));
    rerender({ text: "b" });
    await waitFor(() => expect(sent).toHaveLength(3));
    act(() => sent[2]!.answer(found([3])));
    await waitFor(() => expect(ids(result.current)).toEqual(["run_3"]));
    expect(result.current.failed).toBe(false);
  });

  it("searches nothing where there is nothing to search in", async () => {
    const { result } = search("a", null);
    await act(() => Promise.resolve());
    expect(sent).toEqual([]);
    expect(result.current).toMatchObject({ runs: [], loading: false, failed: false, note: null });
  });
});

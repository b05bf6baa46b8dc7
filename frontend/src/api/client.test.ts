import { afterEach, describe, expect, it, vi } from "vitest";
import { LIMIT_MS, request, type ApiError } from "./client";
import { connection, connectionFound } from "./connection";

afterEach(() => {
  connectionFound();
  vi.unstubAllGlobals();
});

function answer(status: number, body: unknown) {
  vi.stubGlobal("fetch", vi.fn().mockResolvedValue(new Response(status === 204 ? null : JSON.stringify(body), { status })));
}

async function failure(): Promise<ApiError> {
  return request("/plans", { method: "POST", body: {} }).then(
    () => expect.fail("the request was not refused"),
    (error: unknown) => error as ApiError,
  );
}

describe("request", () => {
  it("gives the body of a 2xx, and nothing for 204", async () => {
    answer(200, { data: [1] });
    expect(await request("/presets")).toEqual({ data: [1] });
    answer(204, null);
    expect(await request("/shares/shr_1", { method: "DELETE" })).toBeUndefined();
  });

  it("turns problem+json into an ApiError with its pointers", async () => {
    answer(422, { title: "Not valid", detail: "See the fields.", code: "invalid", errors: [{ pointer: "/rounds", code: "range", detail: "1 to 1000" }] });
    expect(await failure()).toMatchObject({ status: 422, code: "invalid", errors: [{ pointer: "/rounds" }] });
  });

  it("says what it can of an answer that is no JSON", async () => {
    vi.stubGlobal("fetch", vi.fn().mockResolvedValue(new Response("<html>", { status: 502 })));
    expect(await failure()).toMatchObject({ status: 502, message: "The server answered 502." });
  });

  it("ends after its time limit, says so, and takes the body into account", async () => {
    vi.useFakeTimers();
    const hangs = (signal: AbortSignal) => new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
    const fetched = vi.fn((_url: string, init: RequestInit) => hangs(init.signal!));
    vi.stubGlobal("fetch", fetched);
    const refused = failure();
    await vi.advanceTimersByTimeAsync(LIMIT_MS - 1);
    expect(fetched.mock.calls[0]![1].signal!.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await refused).toMatchObject({ status: 0, code: "timeout", message: "Plimsoll did not answer within 30 s." });
    vi.stubGlobal("fetch", (_url: string, init: RequestInit) => Promise.resolve({ ok: true, status: 200, json: () => hangs(init.signal!) }));
    const half = failure();
    await vi.advanceTimersByTimeAsync(LIMIT_MS);
    expect(await half).toMatchObject({ code: "timeout" });
    vi.useRealTimers();
  });

  it("hands on that it was given up by its caller", async () => {
    vi.stubGlobal("fetch", (_url: string, init: RequestInit) => new Promise((_, reject) => init.signal!.addEventListener("abort", () => reject(init.signal!.reason as Error))));
    const caller = new AbortController();
    const given = request("/runs", { signal: caller.signal });
    caller.abort(new DOMException("left", "AbortError"));
    await expect(given).rejects.toMatchObject({ name: "AbortError" });
    expect(connection()).toBe("online");
  });

  it("reports the connection as lost when nothing answers", async () => {
    vi.stubGlobal("fetch", vi.fn().mockRejectedValue(new TypeError("failed")));
    expect(await failure()).toMatchObject({ status: 0, code: "offline" });
    expect(connection()).toBe("lost");
  });
});

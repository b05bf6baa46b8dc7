import { afterEach, describe, expect, it, vi } from "vitest";
import { refusal, serve } from "@/testing/server";
import { connection, connectionFound } from "./connection";
import type { ApiError } from "./errors";
import { createShare, listPresets, revokeShare } from "./generated";
import { LIMIT_MS } from "./transport";

afterEach(() => {
  connectionFound();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const share = (signal?: AbortSignal) => createShare({ path: { run_id: "r" }, body: { expires_in_days: 7 }, ...(signal && { signal }) });

async function failure(): Promise<ApiError> {
  return share().then(
    () => expect.fail("the request was not refused"),
    (error: unknown) => error as ApiError,
  );
}

/** Rejects with the signal's reason, once it fires. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason as Error);
    if (signal.aborted) end();
    signal.addEventListener("abort", end);
  });
}

describe("a request", () => {
  it("returns the body of a 2xx, and none for 204", async () => {
    const requests = serve(({ method }) => (method === "DELETE" ? new Response(null, { status: 204 }) : { data: [1] }));
    expect(await listPresets()).toEqual({ data: [1] });
    await revokeShare({ path: { share_id: "shr_1" } });
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(["GET /api/v1/presets", "DELETE /api/v1/shares/shr_1"]);
  });

  it("converts problem+json to an ApiError with its pointers", async () => {
    serve(() => refusal(422, { title: "Not valid", detail: "See the fields.", code: "invalid", errors: [{ pointer: "/rounds", code: "range", detail: "1 to 1000" }] }));
    expect(await failure()).toMatchObject({ status: 422, code: "invalid", errors: [{ pointer: "/rounds" }] });
  });

  it("reports the status of an answer that is not JSON", async () => {
    serve(() => new Response("<html>", { status: 502 }));
    expect(await failure()).toMatchObject({ status: 502, message: "The server answered 502." });
  });

  it("times out, also while the body is read", async () => {
    vi.useFakeTimers();
    const fetched = vi.fn((_: Request, { signal }: { signal: AbortSignal }) => untilAborted(signal));
    vi.stubGlobal("fetch", fetched);
    const refused = failure();
    await vi.advanceTimersByTimeAsync(LIMIT_MS - 1);
    expect(fetched.mock.calls[0]![1].signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await refused).toMatchObject({ status: 0, code: "timeout", message: "Plimsoll did not answer within 30 s." });
    vi.stubGlobal("fetch", (_: Request, { signal }: { signal: AbortSignal }) => Promise.resolve({ ok: true, status: 200, text: () => untilAborted(signal) }));
    const half = failure();
    await vi.advanceTimersByTimeAsync(LIMIT_MS);
    expect(await half).toMatchObject({ code: "timeout" });
  });

  it("ends when its caller aborts it, without reporting a lost connection", async () => {
    vi.stubGlobal("fetch", (_: Request, { signal }: { signal: AbortSignal }) => untilAborted(signal));
    const caller = new AbortController();
    const given = share(caller.signal);
    caller.abort(new DOMException("left", "AbortError"));
    await expect(given).rejects.toMatchObject({ name: "AbortError" });
    expect(connection()).toBe("online");
  });

  it("reports a lost connection when there is no answer", async () => {
    vi.stubGlobal("fetch", vi.fn().mockRejectedValue(new TypeError("failed")));
    expect(await failure()).toMatchObject({ status: 0, code: "offline" });
    expect(connection()).toBe("lost");
  });
});

import { afterEach, describe, expect, it, vi } from "vitest";
import type { ApiError} from "./client";
import { request } from "./client";
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

  it("reports the connection as lost when nothing answers", async () => {
    vi.stubGlobal("fetch", vi.fn().mockRejectedValue(new TypeError("failed")));
    expect(await failure()).toMatchObject({ status: 0, code: "offline" });
    expect(connection()).toBe("lost");
  });
});

import { afterEach, describe, expect, it, vi } from "vitest";
import { newKey } from "./newKey";

afterEach(() => vi.unstubAllGlobals());

describe("newKey", () => {
  it("needs no crypto.randomUUID, which plain http does not have", () => {
    vi.stubGlobal("crypto", { getRandomValues: <T extends ArrayBufferView>(into: T) => fill(into) });
    expect(newKey()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("differs each time", () => {
    expect(new Set(Array.from({ length: 100 }, newKey)).size).toBe(100);
  });
});

function fill<T extends ArrayBufferView>(into: T): T {
  new Uint8Array(into.buffer).set([255, 1, 2, 3]);
  return into;
}

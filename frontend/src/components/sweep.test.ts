import { describe, expect, it } from "vitest";
import { expanded, formatSweep, isSweep, levelsIn, parseSweep } from "./sweep";

describe("sweeps", () => {
  it.each([
    ["1000..8000/1000", { from: 1000, to: 8000, step: 1000 }],
    ["1..64*2", { from: 1, to: 64, times: 2 }],
    ["1 .. 4", { from: 1, to: 4, step: 1 }],
  ])("parses and formats %s", (text, sweep) => {
    expect(parseSweep(text)).toEqual(sweep);
    expect(formatSweep(sweep)).toBe(text.replaceAll(" ", ""));
  });

  it("needs both ends", () => {
    for (const text of ["1000", "1, 2", "..8", "1...8", "1..x", ""]) expect(parseSweep(text)).toBeNull();
    expect(isSweep([1, 2])).toBe(false);
    expect(isSweep({ from: 1, to: 2 })).toBe(true);
  });

  it("expands to levels, and to none where a sweep would not end", () => {
    expect(expanded({ from: 1, to: 64, times: 2 })).toEqual([1, 2, 4, 8, 16, 32, 64]);
    expect(expanded({ from: 0.1, to: 0.3, step: 0.1 })).toEqual([0.1, 0.2, 0.3]);
    expect(expanded({ from: 1, to: 9, times: 1 })).toEqual([]);
    expect(expanded({ from: 1, to: 9, step: 0 })).toEqual([]);
    expect(expanded({ from: 0, to: 9, times: 2 })).toEqual([]);
    expect(expanded({ from: 1, to: 1e9, step: 1 })).toHaveLength(1000);
  });

  it("expands to no level where a part is not a number", () => {
    for (const part of [{ from: "1" }, { to: null }, { step: "1" }, { times: { a: 1 } }]) expect(expanded({ from: 1, to: 8, ...part } as never)).toEqual([]);
  });

  it("lists the levels of a sweep, of one level and of a missing field", () => {
    expect(levelsIn({ from: 1, to: 3 })).toEqual([1, 2, 3]);
    expect(levelsIn("a")).toEqual(["a"]);
    expect(levelsIn(undefined)).toEqual([]);
  });
});

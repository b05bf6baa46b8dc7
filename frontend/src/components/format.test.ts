import { describe, expect, it } from "vitest";
import { formatAgo, formatDuration, formatInterval, formatLevel, formatMemory, formatNumber, formatP, formatPercent, formatRatio, formatSigned, formatSignedInterval, formatSignificant, plural, hopLabel, humanize } from "./format";

describe("numbers", () => {
  it("separates thousands and writes the requested decimals", () => {
    expect(formatNumber(17512.433)).toBe("17,512");
    expect(formatNumber(0.5, 3)).toBe("0.500");
    expect(formatNumber(-0.033, 2)).toBe("−0.03");
    expect(formatNumber(-0.001, 2)).toBe("0.00");
    expect(formatInterval({ low: 17243.2, high: 17766.4 })).toBe("17,243 – 17,766");
    expect(formatSignificant(9.4132)).toBe("9.41");
    expect(formatSignificant(123456.7)).toBe("123,457");
  });

  it("writes a dash for a missing value, never 0", () => {
    for (const missing of [null, undefined]) {
      expect(formatNumber(missing)).toBe("–");
      expect(formatRatio(missing)).toBe("–");
      expect(formatP(missing)).toBe("–");
      expect(formatInterval(missing)).toBe("–");
      expect(formatDuration(missing)).toBe("–");
    }
    expect(formatNumber(0)).toBe("0");
  });

  it("writes the sign of a difference, and none where it rounds to 0", () => {
    expect([3.24, -0.41, 0.004, 0].map((value) => formatSigned(value, 1))).toEqual(["+3.2", "−0.4", "0.0", "0.0"]);
    expect(formatSignedInterval({ low: -1.2, high: 3 }, 1)).toBe("−1.2 to +3.0");
    expect(formatSigned(null)).toBe("–");
  });

  it("writes shares as percentages", () => {
    expect([0.0412, 0.05, 0.2, 1.234].map(formatPercent)).toEqual(["4.1 %", "5 %", "20 %", "123 %"]);
    expect(formatPercent(null)).toBe("–");
  });

  it("writes a small p as a bound", () => {
    expect(formatP(0.00002)).toBe("< 0.001");
    expect(formatP(0.0195)).toBe("0.020");
    expect(formatRatio(0.5949)).toBe("0.595×");
  });
});

describe("time", () => {
  it.each([
    [0, "0 s"],
    [45.4, "45 s"],
    [200, "3 min 20 s"],
    [180, "3 min"],
    [4200, "1 h 10 min"],
    [3600, "1 h"],
    [7170, "2 h"],
    [7169, "1 h 59 min"],
    [3599.6, "1 h"],
    [90_000, "25 h"],
  ])("writes %d seconds as %s", (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });

  it("writes memory in binary units", () => {
    expect([536_870_912, 1_400_000_000, 8_347_648_000].map(formatMemory)).toEqual(["512 MiB", "1.3 GiB", "7.8 GiB"]);
    expect(formatMemory(null)).toBe("–");
  });

  it("writes the age of recent times", () => {
    const now = Date.parse("2026-11-20T12:00:00Z");
    expect(formatAgo("2026-11-20T11:59:30Z", now)).toBe("just now");
    expect(formatAgo("2026-11-20T11:55:00Z", now)).toBe("5 min ago");
    expect(formatAgo("2026-11-20T09:00:00Z", now)).toBe("3 h ago");
  });
});

describe("levels and names", () => {
  it("writes levels, identifiers and plurals", () => {
    expect(formatLevel(true)).toBe("on");
    expect(formatLevel("prepared")).toBe("prepared");
    expect([{ a: 1 }, null, undefined, [1]].map((level) => formatLevel(level as never))).toEqual(['{"a":1}', "null", "–", "[1]"]);
    expect(humanize("warm_up_s")).toBe("warm up (s)");
    expect(["wire", "veth"].map(hopLabel)).toEqual(["link", "veth"]);
    expect(plural(1, "trial")).toBe("1 trial");
    expect(plural(1200, "trial")).toBe("1,200 trials");
  });
});

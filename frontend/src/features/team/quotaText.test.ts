import { describe, expect, it } from "vitest";
import { formatBytes } from "@/components/format";
import { amountOf, shareOf, toneOf } from "./quotaText";

describe("quotas", () => {
  it("writes amounts with their unit", () => {
    expect(amountOf("bytes", 10_000_000_000)).toBe("10 GB");
    expect(amountOf("s", 172_800)).toBe("48 h");
    expect(amountOf("trials", 10_000)).toBe("10,000");
  });

  it.each([[0, "0 B"], [999, "999 B"], [1500, "1.5 kB"], [12_345_678, "12.3 MB"], [2e15, "2000 TB"]])("%d bytes are %s", (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it("marks a use that is close to its limit", () => {
    expect([toneOf(0, 100), toneOf(75, 100), toneOf(95, 100), toneOf(0, 0)]).toEqual(["accent", "warn", "bad", "bad"]);
  });

  it("writes the used share", () => {
    expect([shareOf(0, 10), shareOf(1, 1e6), shareOf(1, 4), shareOf(3, 0)]).toEqual(["0 % used", "less than 0.1 % used", "25 % used", "none left"]);
  });
});

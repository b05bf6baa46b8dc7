import { describe, expect, it } from "vitest";
import { formatEffect, formatEffectInterval } from "./effect";

const none = { ratio: null, interval: null };

describe("a comparison without a ratio", () => {
  it("is its difference, with sign and unit", () => {
    const found = { ...none, difference: { value: 1096, interval: { low: 914, high: 1272.5 }, unit: "segments" } };
    expect(formatEffect(found)).toBe("+1,096 segments");
    expect(formatEffectInterval(found)).toBe("+914 to +1,273");
  });

  it("has as many decimals as it needs, and none for whole numbers", () => {
    expect(formatEffect({ ...none, difference: { value: -0.5, interval: null, unit: "cores" } })).toBe("−0.500 cores");
    expect(formatEffect({ ...none, difference: { value: 0, interval: { low: 0, high: 0 }, unit: "%" } })).toBe("0 %");
  });
});

it("a ratio is a ratio", () => {
  expect(formatEffect({ ratio: 0.595, interval: { low: 0.5, high: 0.7 } })).toBe("0.595×");
  expect(formatEffectInterval({ ratio: 0.595, interval: { low: 0.5, high: 0.7 } })).toBe("0.500 – 0.700");
  expect(formatEffect(undefined)).toBe("–");
});

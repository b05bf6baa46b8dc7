import { describe, expect, it } from "vitest";
import { formatChange, formatEffect, formatEffectInterval } from "./effect";

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

it.each([
  [9.994, "+899 %"],
  [9.9951, "10×"],
  [9.999999999999998, "10×"],
  [10, "10×"],
  [960.4, "960×"],
  [12345, "12,000×"],
  [3e12, "3e+12×"],
  [1.9994, "+99.9 %"],
  [1.9999999999999998, "+100 %"],
  [2, "+100 %"],
  [1.0001, "0 %"],
  [1, "0 %"],
  [0.827, "−17.3 %"],
  [0.5, "−50.0 %"],
  [0.1, "−90.0 %"],
  [0.0004, "−99.96 %"],
  [0, "−100 %"],
])("the ratio %d is the change %s, as the server's sentences have it", (ratio, text) => {
  expect(formatChange(ratio)).toBe(text);
});

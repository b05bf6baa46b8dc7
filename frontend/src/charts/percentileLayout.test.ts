import { describe, expect, it } from "vitest";
import { isOpenLoop, ninesOf, percentileCurve, percentileTicks, reportedMax, reportedPercentiles } from "./percentileLayout";

describe("percentiles", () => {
  it("spaces p90, p99 and p99.9 equally", () => {
    expect(ninesOf(90)).toBeCloseTo(1);
    expect(ninesOf(99)).toBeCloseTo(2);
    expect(ninesOf(99.9)).toBeCloseTo(3);
    expect(percentileTicks(2).map(({ label }) => label)).toEqual(["p50", "p90", "p99"]);
  });

  it("sums the tool's bins in order; the slowest has a finite position", () => {
    const curve = percentileCurve([[2000, 9], [1000, 90], [5000, 0], [9000, 1]]);
    expect(curve.map(({ percent, ms }) => [percent, ms])).toEqual([[90, 1], [99, 2], [100, 9]]);
    expect(curve[0]!.nines).toBeCloseTo(1);
    expect(curve[2]!.nines).toBeGreaterThan(2);
    expect(Number.isFinite(curve[2]!.nines)).toBe(true);
    expect(percentileCurve([])).toEqual([]);
  });

  it("returns the percentiles that the trial's metrics contain", () => {
    expect(isOpenLoop({ latency_p99_ms: 1 })).toBe(false);
    expect(isOpenLoop({ open_latency_p50_ms: 1 })).toBe(true);
    expect(reportedPercentiles({ open_latency_p50_ms: 1, open_latency_p999_ms: 8 }).map(({ percent, ms }) => [percent, ms])).toEqual([[50, 1], [99.9, 8]]);
    expect(reportedMax({})).toBeNull();
  });
});

import { describe, expect, it } from "vitest";
import type { VerdictCell } from "@/api/generated";
import { verdictPicture, WIDTH } from "./verdictPictureLayout";

const cell = (ratio: number | null, low: number | null, high: number | null, verdict: VerdictCell["verdict"] = "worse"): VerdictCell => ({ cell_id: `c${ratio}`, label: "", path: null, path_title: "", ratio, low, high, verdict });

describe("verdictPictureLayout", () => {
  it("places ratios in order, around the baseline, within the picture", () => {
    const { rows, baseline } = verdictPicture([cell(0.5, 0.4, 0.6), cell(1.2, 1.1, 1.3, "better"), cell(1, 0.98, 1.02, "equivalent")]);
    const [worse, better, equal] = rows as [(typeof rows)[0], (typeof rows)[0], (typeof rows)[0]];
    expect(worse.low!).toBeGreaterThanOrEqual(0);
    expect(worse.low!).toBeLessThan(worse.x);
    expect(worse.x).toBeLessThan(baseline);
    expect(better.x).toBeGreaterThan(baseline);
    expect(better.high!).toBeLessThanOrEqual(WIDTH);
    expect(equal.x).toBeCloseTo(baseline);
    expect([worse.tone, better.tone, equal.tone]).toEqual(["bad", "good", "quiet"]);
  });

  it("leaves out cells without a ratio, and intervals that are not there", () => {
    const { rows } = verdictPicture([cell(null, null, null), cell(0.9, null, null)]);
    expect(rows.map(({ id, low, high }) => [id, low, high])).toEqual([["c0.9", null, null]]);
  });

  it("draws a difference from or to zero beyond every ratio, and one of zero at the baseline", () => {
    const apart = (value: number): VerdictCell => ({ ...cell(null, null, null), cell_id: `d${value}`, difference: { value, interval: null, interval_unadjusted: null, unit: "segments" } });
    const { rows, baseline } = verdictPicture([apart(1096), apart(-1096), apart(0), cell(5, 4, 6)]);
    const [more, less, equal, ratio] = rows;
    expect(rows.map(({ beyond }) => beyond)).toEqual([1, -1, 0, 0]);
    expect(more!.x).toBeGreaterThan(ratio!.x);
    expect(less!.x).toBeLessThan(baseline);
    expect(equal!.x).toBeCloseTo(baseline);
  });

  it("draws small differences small", () => {
    const { rows, baseline } = verdictPicture([cell(1.001, 1, 1.002)]);
    expect(Math.abs(rows[0]!.x - baseline)).toBeLessThan(2);
  });
});

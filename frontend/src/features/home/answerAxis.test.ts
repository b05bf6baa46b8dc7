import { describe, expect, it } from "vitest";
import type { RunVerdict, VerdictCell } from "@/api/generated";
import { libraryRun, VERDICT } from "@/testing/libraryRuns";
import { answerAxis } from "./answerAxis";

const run = (number: number, cell: Partial<VerdictCell>, verdict: Partial<RunVerdict> = {}) => {
  const largest = { ...VERDICT.largest!, ...cell };
  return libraryRun(number, { verdict: { ...VERDICT, largest, cells: [largest], ...verdict } });
};

describe("answerAxis", () => {
  it("places all answers on one axis with few labelled ticks", () => {
    const axis = answerAxis([run(1, { ratio: 0.44, low: 0.32, high: 0.56 }), run(2, { ratio: 1.06, low: 1.02, high: 1.1 })]);
    const [slow, fast] = [axis.marks.get("run_1")!, axis.marks.get("run_2")!];
    expect(slow.low! < slow.at && slow.at < slow.high! && slow.high! < axis.one && axis.one < fast.at).toBe(true);
    expect(axis.ticks.map(({ label }) => label)).toContain("1×");
    expect(axis.ticks.length).toBeLessThanOrEqual(6);
    const places = axis.ticks.map(({ at }) => at);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it("cuts an interval that reaches far beyond the estimates, and says so", () => {
    const axis = answerAxis([run(1, { ratio: 0.9, low: 0.3, high: 955 })]);
    const mark = axis.marks.get("run_1")!;
    expect([mark.high, mark.cutHigh, mark.cutLow]).toEqual([100, true, true]);
    expect(mark.at).toBeGreaterThan(20);
  });

  it("draws a change from zero at the end, and no mark of a run without an answer", () => {
    const difference = { value: 1096, interval: { low: 900, high: 1200 }, unit: "segments" };
    const zero = run(1, { ratio: null, low: null, high: null, difference });
    const lost = run(2, {}, { kind: "undecided", answered: false, largest: null });
    const axis = answerAxis([zero, lost, libraryRun(3, { verdict: null })]);
    expect(axis.marks.get("run_1")).toMatchObject({ beyond: 1, low: null });
    expect([...axis.marks.keys()]).toEqual(["run_1"]);
  });

  it("keeps estimates beyond a thousand on the axis", () => {
    const axis = answerAxis([run(1, { ratio: 5000, low: 4000, high: 6000 }), run(2, { ratio: 1.02, low: 0.9, high: 1.1 })]);
    for (const { at } of axis.marks.values()) expect(at >= 0 && at <= 100).toBe(true);
    expect(axis.ticks.map(({ label }) => label)).toContain("1000×");
  });
});

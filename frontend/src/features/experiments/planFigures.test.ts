import { describe, expect, it } from "vitest";
import type { PlanPreview } from "@/api/generated";
import { formatAbout, planFigures } from "./planFigures";

const cell = (id: string, more: object = {}) => ({ id, infeasible: null, is_duplicate: false, ...more });
const plan = (estimate: object, more: object = {}): PlanPreview =>
  ({ experiment: { rounds: 10 }, plan: { cells: [cell("c1"), cell("c1-aa", { is_duplicate: true }), cell("c2", { infeasible: "no" })], estimate, ...more } }) as unknown as PlanPreview;

describe("the figures of a plan", () => {
  it("count cells without duplicates, and those that cannot run", () => {
    expect(planFigures(plan({ seconds: 600 }))).toEqual({ cells: 1, infeasible: 1, fastest: null, seconds: 600, worst: null, smallestEffect: null });
  });

  it("have the worst time with noise and make-up rounds", () => {
    expect(planFigures(plan({ seconds: 600, noisy_seconds: 300 }, { make_up: { seconds: 60 } })).worst).toBe(960);
  });

  it("have the shortest time where decided cells end earlier", () => {
    const adaptive = plan({ seconds: 2300, preparation_seconds: 100, round_seconds: 100 }, { interim_rounds: [10, 14, 18, 22] });
    expect(planFigures(adaptive).fastest).toBe(1100);
  });

  it("are formatted to the minute", () => {
    expect([45, 110, 485, 3_700].map(formatAbout)).toEqual(["45 s", "1 min 50 s", "8 min", "1 h 2 min"]);
  });
});

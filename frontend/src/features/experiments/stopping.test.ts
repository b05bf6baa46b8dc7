import { describe, expect, it } from "vitest";
import type { ExperimentDraft } from "@/api/draft";
import type { BudgetPlan } from "@/api/generated";
import { thresholdsOf, defaultStopping, withBudget, withLimit, withStopping, withThresholds } from "./stopping";

const DOCUMENT: ExperimentDraft = { name: "n", title: "T", factors: {}, rounds: 10, seed: 1, baseline: {} };
const BUDGET: BudgetPlan = { minutes: 30, fits: true, rounds: 7, seconds: 1700, smallest_effect: 0.05, stopping: { every: 4, at_most: 20, budget_minutes: 30 }, first_interim_analysis: 6, first_look: 6, sentence: "Fits." };

describe("stopping", () => {
  it("has interim analyses after the given rounds by default", () => {
    expect(defaultStopping(6)).toEqual({ every: 4, at_most: 18 });
    expect(defaultStopping(Number.NaN).at_most).toBeGreaterThan(10);
  });

  it("is absent in a document with fixed rounds", () => {
    const adaptive = withStopping(DOCUMENT, defaultStopping(10));
    expect(adaptive.stopping?.at_most).toBe(22);
    expect(withStopping(adaptive, null)).toEqual(DOCUMENT);
  });

  it("is set from a budget, as fixed or adaptive rounds", () => {
    expect(withBudget({ ...DOCUMENT, stopping: { at_most: 99 } }, BUDGET, false)).toEqual({ ...DOCUMENT, rounds: 7 });
    expect(withBudget(DOCUMENT, BUDGET, true)).toEqual({ ...DOCUMENT, rounds: 6, stopping: BUDGET.stopping });
    expect(withBudget(DOCUMENT, { ...BUDGET, stopping: null }, true)).toEqual({ ...DOCUMENT, rounds: 7 });
  });

  it("keeps thresholds by line, and removes empty settings", () => {
    expect(thresholdsOf(" tps >= 1000 \n\nratio(tps, baseline) > 0.9")).toEqual(["tps >= 1000", "ratio(tps, baseline) > 0.9"]);
    expect(withThresholds({ ...DOCUMENT, thresholds: ["x"] }, [])).toEqual(DOCUMENT);
    expect(withLimit(withLimit(DOCUMENT, 5), null)).toEqual(DOCUMENT);
    expect(withLimit(DOCUMENT, 5).latency_limit_ms).toBe(5);
  });
});

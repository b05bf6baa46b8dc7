import { describe, expect, it } from "vitest";
import type { ExperimentDraft } from "@/api/draft";
import type { MessageParts, PlanPreview } from "@/api/generated";
import { remedyOf, withRemedy } from "./remedy";

const FIXED: ExperimentDraft = { name: "n", title: "T", rounds: 8, factors: { path: ["same_container"] }, baseline: { path: "same_container" } };
const ADAPTIVE: ExperimentDraft = { ...FIXED, rounds: 6, stopping: { every: 4, at_most: 10 } };
const saying = (...all: MessageParts[]) => ({ messages: Object.fromEntries(all.map((each, index) => [`sentence ${index}`, each])) }) as unknown as PlanPreview;
const few = (id: string, figures: Record<string, string | number>, remedy: MessageParts) => ({ id: `reasons:${id}`, figures: { ...figures, remedy } });
const ENOUGH = { id: "reasons:roundsEnough", figures: { n: 9 } };

describe("what a plan cannot answer", () => {
  it("is nothing where the server says nothing of it", () => {
    expect(remedyOf(saying({ id: "reasons:noWarmUp" }))).toBeNull();
    expect(remedyOf({} as PlanPreview)).toBeNull();
  });

  it("is some or all of the comparisons, where there are too few rounds", () => {
    const some = remedyOf(saying(few("tooFewRounds", { rounds: 8, n: 9, of: 8, able: 6 }, ENOUGH)))!;
    expect(some).toEqual({ kind: "rounds", rounds: 8, comparisons: 9, able: 6, enough: 9 });
    expect(withRemedy(FIXED, some)).toEqual({ ...FIXED, rounds: 9 });
    const none = remedyOf(saying(few("tooFewRoundsAnalyses", { rounds: "1,000", n: 2, of: 8, able: "none" }, ENOUGH)))!;
    expect(none).toMatchObject({ rounds: 1000, able: 0 });
    expect(withRemedy(ADAPTIVE, none)).toEqual({ ...ADAPTIVE, stopping: { every: 4, at_most: 9 } });
  });

  it("has no remedy where no number of rounds is enough", () => {
    const found = remedyOf(saying(few("tooFewRoundsAnalyses", { rounds: 8, n: 9, of: 8, able: 6 }, { id: "reasons:fewerCells" })))!;
    expect(withRemedy(ADAPTIVE, found)).toBeNull();
  });

  it("is a first analysis that comes too early: all of them come later", () => {
    const early = remedyOf(saying({ id: "reasons:earlyAnalysis", figures: { n: 6, comparisons: 9, others: 1, needed: 9 } }))!;
    expect(withRemedy(ADAPTIVE, early)).toEqual({ ...ADAPTIVE, rounds: 9, stopping: { every: 4, at_most: 13 } });
  });

  it("is everything where nothing is compared, or the time limit is too short", () => {
    const nothing = remedyOf(saying({ id: "reasons:nothingToCompare" }))!;
    expect(withRemedy(FIXED, nothing)).toMatchObject({ factors: { userland_proxy: [true, false] }, compare: "userland_proxy" });
    const short = remedyOf(saying({ id: "reasons:analysisAfterBudget" }))!;
    const limited = { ...ADAPTIVE, stopping: { every: 4, at_most: 10, budget_minutes: 1 } };
    expect(withRemedy(limited, short)!.stopping).toEqual({ every: 4, at_most: 10, budget_minutes: null });
  });
});

import { describe, expect, it } from "vitest";
import type { ChartModel } from "@/api/generated";
import { chartModel } from "@/testing/chartModel";
import { onAgainstOff } from "@/testing/sharedRows";
import { answerOf, quotedBy, withoutIntervals, type Answer } from "./answer";
import { tilesOf, trialCounts } from "./tileFigures";

const ANSWER: Answer = {
  question: "each", factor: "userland_proxy", metric: "tps", outcome: "worse", message: null, detail: null, detail_message: null, cell_id: "c5",
  sentence: "docker-proxy costs 40 % of the throughput of published_loopback.",
};
const answered = (model: ChartModel, change: Partial<Answer> = {}) => ({ ...model, answer: { ...ANSWER, ...change } }) as ChartModel;
const tile = (model: ChartModel, key: string) => {
  const found = tilesOf(model).find((each) => each.key === key)!;
  return [found.value, found.detail];
};

describe("the answer", () => {
  it("is that of the server", () => {
    expect(answerOf(answered(onAgainstOff()))).toEqual(ANSWER);
    expect(quotedBy(onAgainstOff(), ANSWER)?.comparison.baseline_id).toBe("c6");
  });

  it("of an earlier release is its headline, with the largest difference that is shown", () => {
    const model = chartModel("measured");
    expect(answerOf(model)).toMatchObject({ sentence: model.headline, outcome: "worse", cell_id: "c5" });
  });

  it("is said without the intervals of a headline", () => {
    expect(withoutIntervals(chartModel("measured").headline)).toBe("published_loopback, proxy on is 40.5 % slower than same_container, proxy on, and takes 1.86 times the CPU per transaction.");
  });

  it("without a comparison is none", () => {
    const model = chartModel("measured");
    const cells = model.cells.map((cell) => ({ ...cell, comparisons: {} }));
    const counts = { ...model.counts, worse: 0, equivalent: 0 };
    expect(answerOf({ ...model, cells, counts })).toMatchObject({ outcome: "no_answer", cell_id: null });
  });
});

describe("the tiles", () => {
  it("quote the comparison of the answer, and the cores of its proxy", () => {
    const model = answered(onAgainstOff());
    expect(tile(model, "change")).toEqual(["−40\u00a0%", "on against off"]);
    expect(tile(model, "proxy")[0]).toMatch(/^0\.\d\d$/);
    expect(tile(model, "cost")).toEqual(["+86\u00a0%", expect.stringMatching(/^from 10\d\.\d to 17\d\.\d µs$/)]);
    expect(tile(model, "quality")).toEqual(["all 70 trials count", "10 of 10 rounds complete"]);
  });

  it("name the baseline that is another path", () => {
    const model = chartModel("measured");
    expect(tile(answered(model), "change")[1]).toBe("against same_container, proxy on");
  });

  it("say that there is no answer, and no figure for it", () => {
    const model = onAgainstOff();
    const cells = model.cells.map((cell) => ({
      ...cell,
      comparisons: Object.fromEntries(Object.entries(cell.comparisons).map(([metric, each]) => [metric, { ...each, verdict: "no_difference_shown" as const }])),
    }));
    expect(tile(answered({ ...model, cells }), "change")[0]).toBe("no answer");
  });

  it("say equal where every comparison is, and none is quoted", () => {
    expect(tile(answered(onAgainstOff(), { outcome: "equal", cell_id: null }), "change")).toEqual(["equal", "in 3 comparisons"]);
  });

  it("count the trials that are lost: failed, disturbed, not valid or excluded", () => {
    const model = onAgainstOff();
    const cells = model.cells.map((cell) => (cell.id === "c5" ? { ...cell, left_out: [2], contaminated: [2] } : cell));
    expect(trialCounts({ cells })).toEqual({ planned: 70, counted: 69, lost: 1 });
    expect(tile({ ...model, cells }, "quality")[0]).toBe("1 of 70 lost");
  });

  it("say why they have no figure", () => {
    const model = onAgainstOff();
    const bare = { ...model, cells: model.cells.map((cell) => ({ ...cell, cpu: [] })) };
    expect([tile(bare, "proxy"), tile(bare, "cost")]).toEqual([["–", "CPU was not measured"], ["–", "CPU was not measured"]]);
    const nothing = { ...model, cells: model.cells.map((cell) => ({ ...cell, state: "failed" as const, comparisons: {}, cpu: [], trials_done: 0, trials_failed: 10 })) };
    expect(tile(nothing, "change")).toEqual(["–", "nothing could be compared"]);
    expect(tile(nothing, "quality")[0]).toBe("70 of 70 lost");
  });

  it("of a result of one cell have its own figures", () => {
    const model = chartModel("measured");
    const one = { ...model, cells: model.cells.slice(0, 1) };
    expect(tile(one, "change")).toEqual([expect.stringMatching(/^17,\d{3}$/), "one cell, nothing to compare"]);
    expect(tile(one, "proxy")).toEqual(["0", "no proxy took CPU"]);
  });

  it("count the trials so far while the run goes on", () => {
    const model = onAgainstOff();
    const cells = model.cells.map((cell) => ({ ...cell, trials_done: 3 }));
    expect(tile({ ...model, state: "running", rounds_complete: 3, cells }, "quality")).toEqual(["21 of 70 trials", "3 of 10 rounds complete"]);
  });
});

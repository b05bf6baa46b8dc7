import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { ChartCell, ChartModel } from "@/api/generated";
import { chartModel } from "@/testing/chartModel";
import { Still } from "@/testing/render";
import { sweepOf } from "@/testing/sharedRows";
import "@/testing/tabs";
import { AnswerHead } from "./AnswerHead";
import { ResultView } from "./ResultView";

afterEach(cleanup);

function show(model: ChartModel) {
  render(
    <Still at="/runs/r">
      <ResultView model={model} />
    </Still>,
  );
}

/** Every trial of every cell was lost, those of two spare rounds too. */
function lost(state: ChartCell["state"]): ChartModel {
  const model = chartModel("measured");
  const cells = model.cells.map((cell) => ({
    ...cell,
    state,
    reason: "8 of 8 trials contaminated each time: other processes",
    reason_message: null,
    summaries: {},
    cpu: [],
    trials_planned: 6,
    trials_done: 8,
    trials_failed: 0,
    left_out: Array.from({ length: 8 }, (_, at) => ({ round: at + 1, why: "contaminated" })),
  }));
  return { ...model, cells: cells as unknown as ChartCell[], best: [], rounds_planned: 6, rounds_complete: 8 };
}

describe("a result without a trial that counts", () => {
  it("says so once at its figures, and why at each cell, without an empty chart", () => {
    show(lost("contaminated"));
    expect(screen.getAllByText("no trial counts")).toHaveLength(2);
    expect(screen.queryByText(/CPU was not measured/)).toBeNull();
    expect(screen.getAllByText(/: 8 of 8 trials contaminated each time/).length).toBeGreaterThan(1);
    expect(screen.queryByRole("button", { name: "Zoom" })).toBeNull();
    expect(document.querySelector(".recharts-wrapper")).toBeNull();
    expect(within(screen.getByRole("tabpanel")).getByText(/No trial of this run counts/)).toBeTruthy();
  });

  it("has no more lost trials and rounds than there were", () => {
    const model = lost("contaminated");
    const all = 8 * model.cells.length;
    show(model);
    expect(screen.getByText(`${all} of ${all} lost`)).toBeTruthy();
    expect(screen.getByText("8 of 8 rounds complete")).toBeTruthy();
  });

  it("has its chart and its legend while it goes on", () => {
    show({ ...lost("waiting"), state: "running" });
    expect(screen.getByText(/middle of the trials/)).toBeTruthy();
    expect(screen.getByText(/first figures appear here/)).toBeTruthy();
  });
});

describe("a result with few or many figures", () => {
  it("says that it has throughput alone, where nothing else was measured", () => {
    const model = chartModel("measured");
    const cells = model.cells.map((cell) => ({ ...cell, cpu: [] }));
    show({ ...model, cells, axes: model.axes.slice(0, 1), origin: "imported", best: [] });
    expect(screen.getByText(/has transactions per second alone/)).toBeTruthy();
  });

  it("folds hundreds of cells that are tied for best", () => {
    const model = sweepOf(80, [1, 8, 32]);
    const [first, ...others] = model.cells.map(({ id }) => id);
    const group = { metric: "tps", baseline_id: first!, leader_id: first!, tied: others, out: [], sentence: "tied" };
    show({ ...model, best: [group] });
    expect(within(screen.getByRole("list", { name: "Tied for best" })).getAllByRole("listitem")).toHaveLength(1);
    expect(screen.getByText(`${model.cells.length - 1} more tied cells`)).toBeTruthy();
  });
});

describe("the sentence of the answer", () => {
  const sentenceOf = (sentence: string) => {
    const model = chartModel("measured");
    const answer = { question: "baseline", factor: null, metric: "tps", outcome: "equal", sentence, cell_id: null };
    render(<AnswerHead model={{ ...model, answer } as unknown as ChartModel} />, { wrapper: Still });
    return document.querySelector("p")!.textContent;
  };

  it("begins with a capital letter, but for the name of a program", () => {
    expect(sentenceOf("transactions per second: equal within 5 %")).toMatch(/^Transactions per second: equal/);
    cleanup();
    expect(sentenceOf("docker-proxy costs 53 % of the throughput")).toMatch(/^docker-proxy costs/);
  });
});

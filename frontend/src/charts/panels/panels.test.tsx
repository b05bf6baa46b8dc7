import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Axis, PanelFigure, ResultPanels, Sweep, TradeOff } from "@/api/generated";
import { Panels } from "./Panels";
import { levelTexts, sweepLayout } from "./sweepLayout";
import { crosses, stairs } from "./tradeOffLayout";

afterEach(cleanup);

const axis = (metric: string, top: number): Axis => ({ metric, label: metric, unit: "1/s", better: "higher", domain: [0, top], zoom: [0, top], decimals: 0 });
const figure = (median: number): PanelFigure => ({ n: 10, median, interval: { low: median * 0.9, high: median * 1.1 } });
const sweep: Sweep = {
  factor: "rate",
  label: "offered rate",
  levels: [
    { level: 500, label: "" },
    { level: 1000, label: "" },
    { level: 0, label: "unlimited rate" },
  ],
  axes: [axis("tps", 2000), axis("cpu_us_per_txn", 100)],
  series: ["direct", "published"].map((label, index) => ({
    label,
    color: index,
    shape: 0,
    cells: [`${label}-1`, null, `${label}-3`],
    figures: { tps: [figure(500), null, figure(1500 - index)], cpu_us_per_txn: [figure(40), null, figure(50)] },
  })),
  left_out: 2,
};
const point = (cell_id: string, cost: number, rate: number, dominated: boolean) => ({ cell_id, label: `cell ${cell_id}`, color: 0, shape: 0, cost: figure(cost), rate: figure(rate), dominated });
const tradeOff: TradeOff = { cost_axis: axis("cpu_us_per_txn", 100), rate_axis: axis("tps", 2000), points: [point("a", 20, 1000, false), point("b", 40, 1500, false), point("c", 60, 1200, true)], frontier: ["a", "b"], left_out: 0 };
const panels: ResultPanels = {
  run_id: "run_1",
  sweeps: [sweep],
  trade_offs: [tradeOff],
  latencies: [{ loop: "closed", names: ["mean", "p99"], domain: [0, 10], decimals: 1, rows: [{ cell_id: "a", label: "cell a", color: 0, shape: 0, figures: { mean: figure(2), p99: figure(8) } }], left_out: 0 }],
};

describe("sweepLayout", () => {
  it("puts levels at equal distances and joins the cells that have a figure", () => {
    const { points, lines } = sweepLayout(sweep, sweep.axes[0]!, 2, 200);
    expect(levelTexts(sweep)).toEqual(["500", "1,000", "unlimited rate"]);
    expect(points.map(({ cellId, x }) => [cellId, Math.abs(Math.round(x))])).toEqual([["direct-1", 0], ["direct-3", 2], ["published-1", 0], ["published-3", 2]]);
    expect(lines.map(({ segments, whiskers }) => [segments.length, whiskers.length])).toEqual([[1, 2], [1, 2]]);
  });

  it("shifts series so that intervals of one level are beside each other", () => {
    const { points } = sweepLayout(sweep, sweep.axes[0]!, 2, 200);
    expect(points[0]!.x).toBeLessThan(points[2]!.x);
  });

  it("keeps labels of lines with nearly the same end apart and inside the panel", () => {
    const [first, second] = sweepLayout(sweep, { ...sweep.axes[0]!, domain: [0, 1500] }, 2, 200).lines.map(({ end }) => end!.labelY);
    expect(Math.abs(first! - second!)).toBeGreaterThanOrEqual(15);
    expect(Math.min(first!, second!)).toBeGreaterThanOrEqual(0);
  });
});

describe("the frontier", () => {
  it("goes up in steps at the cost of the next cell, and on to the end of the axis", () => {
    expect(stairs(tradeOff)).toEqual([
      { x: [20, 40], y: [1000, 1000] },
      { x: [40, 40], y: [1000, 1500] },
      { x: [40, 100], y: [1500, 1500] },
    ]);
  });

  it("has both intervals of each cell as a cross", () => {
    const lines = crosses(tradeOff.points);
    expect([lines.frontier.length, lines.dominated.length]).toEqual([4, 2]);
  });
});

describe("Panels", () => {
  const show = (onCell?: (id: string) => void) =>
    render(
      <MemoryRouter>
        <Panels panels={panels} legend={[]} {...(onCell && { onCell })} />
      </MemoryRouter>,
    );

  it("has one sentence and one tab stop for each chart, and says what is left out", () => {
    show();
    expect(screen.getByRole("img", { name: /^Throughput by offered rate \(500, 1,000, unlimited rate\) of 2 series\. direct: 500, –, 1,500/ })).toBeTruthy();
    expect(screen.getByRole("img", { name: /^Throughput against CPU cost of 3 cells\. .*cell a; cell b\.$/ })).toBeTruthy();
    expect(screen.getByText(/2 more series are left out/)).toBeTruthy();
    expect(screen.getByText(/suffer from coordinated omission/)).toBeTruthy();
    expect(screen.getAllByRole("listbox")).toHaveLength(3);
  });

  it("moves through the marks by arrow keys and opens the cell of the active one", () => {
    const onCell = vi.fn();
    show(onCell);
    const marks = screen.getByRole("listbox", { name: "Throughput against CPU cost: marks, by arrow keys" });
    const active = () => document.getElementById(marks.getAttribute("aria-activedescendant") ?? "")?.textContent;
    fireEvent.focus(marks);
    expect(active()).toBe("cell a, on the frontier: 1,000 1/s (900 – 1,100), 20 1/s (18 – 22)");
    fireEvent.keyDown(marks, { key: "ArrowRight" });
    expect(active()).toMatch(/^cell b, on the frontier/);
    fireEvent.keyDown(marks, { key: "ArrowDown" });
    expect(active()).toMatch(/^cell c, dominated/);
    fireEvent.keyDown(marks, { key: "Enter" });
    expect(onCell).toHaveBeenCalledWith("c");
    fireEvent.keyDown(marks, { key: "Home" });
    expect(active()).toMatch(/^cell a/);
  });

  it("has the same figures as a table", () => {
    show();
    fireEvent.click(within(screen.getByRole("group", { name: "Throughput against CPU cost: chart or table" })).getByRole("button", { name: "Table" }));
    const row = within(screen.getByRole("table", { name: "Throughput against CPU cost" })).getByRole("row", { name: /^cell c/ });
    expect(row.textContent).toContain("1,200");
    expect(row.textContent).toContain("dominated");
  });
});

import { describe, expect, it } from "vitest";
import { chartModel } from "@/testing/chartModel";
import { dotMarks } from "./dotKeyboard";
import { dotLayout, jitter, legendLeftOut } from "./dotLayout";
import { withoutFigure } from "@/components/stateLabels";
import { roleLayout } from "./roleLayout";
import { dotSentence, roleSentence } from "./sentences";

const model = chartModel("all");
const axis = model.axes[0]!;
const layout = dotLayout(model, axis, { zoomed: false, heading: false });

describe("dotLayout", () => {
  it("has one row per row of the model and one lane per cell, in plan order", () => {
    expect(layout.rows.map((row) => row.label)).toEqual([
      "same_container",
      "same_container (A/A)",
      "sibling_container",
      "published_loopback",
      "container_address",
      "published_host_address",
      "published_ipv6_loopback",
    ]);
    expect(layout.lanes).toHaveLength(model.cells.length);
    const ys = layout.lanes.map((lane) => lane.y);
    expect(new Set(ys).size).toBe(ys.length);
    expect(Math.max(...ys)).toBeLessThan(layout.height);
  });

  it("draws no figure for a cell that failed, is waiting, cannot run, or whose path is not proven", () => {
    const drawn = new Set(layout.marks.map((mark) => mark.cellId));
    const states = new Map(model.cells.map((cell) => [cell.id, cell.state]));
    expect([...drawn].map((id) => states.get(id)).every((state) => state === "measured" || state === "partial")).toBe(true);
    const dots = layout.groups.flatMap((group) => group.dots.map((dot) => dot.cellId));
    for (const id of ["c7", "c9", "c10", "c11", "c12"]) expect(dots).not.toContain(id);
    expect(layout.lanes.filter((lane) => lane.summary === null).map((lane) => lane.cell.id)).toEqual(["c7", "c9", "c10", "c11", "c12"]);
  });

  it("groups all replicates by colour and shape", () => {
    expect(layout.groups).toHaveLength(2);
    const shown = layout.groups.reduce((sum, group) => sum + group.dots.length, 0);
    expect(shown).toBe(7 * 10 + 4);
    expect(layout.hidden).toBe(0);
  });

  it("counts the values outside the zoomed axis, and clips intervals to it", () => {
    const narrow = dotLayout(model, { ...axis, zoom: [14_000, 19_000] }, { zoomed: true, heading: false });
    expect(narrow.hidden).toBe(10);
    expect(narrow.marks.every(({ x, error }) => !error || (x - error[0] >= 14_000 && x + error[1] <= 19_000))).toBe(true);
  });

  it("marks excluded and unsteady trials, and draws no dot without a value", () => {
    const cells = model.cells.map((cell) => (cell.id === "c5" ? { ...cell, left_out: [2], unsteady: [3], summaries: { tps: { ...cell.summaries["tps"]!, values: [null, ...cell.summaries["tps"]!.values.slice(1)] } } } : cell));
    const dots = dotLayout({ ...model, cells }, axis, { zoomed: false, heading: false }).groups.flatMap((group) => group.dots).filter((dot) => dot.cellId === "c5");
    expect(dots.map((dot) => dot.round)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(dots.filter((dot) => !dot.used).map((dot) => dot.round)).toEqual([2]);
    expect(dots.filter((dot) => dot.unsteady).map((dot) => dot.round)).toEqual([3]);
  });

  it("says why each trial is left out", () => {
    const cells = model.cells.map((cell) => (cell.id === "c5" ? { ...cell, left_out: [1, 2, 3, 4], excluded: [1], invalid: [2], contaminated: [3] } : cell));
    const changed = dotLayout({ ...model, cells }, axis, { zoomed: false, heading: false });
    const dots = changed.groups.flatMap((group) => group.dots).filter((dot) => dot.cellId === "c5");
    expect(dots.flatMap(({ leftOut }) => leftOut ?? [])).toEqual(["excluded", "invalid", "contaminated", "not_proven"]);
    expect(legendLeftOut(changed)).toBe("left out: excluded by hand, breaks a physical bound, disturbed by the host, path not proven");
    const texts = dotMarks(changed, axis, { onTrial: undefined, onCell: undefined }).map(({ text }) => text);
    expect(texts.filter((text) => text.endsWith(", left out: disturbed by the host"))).toHaveLength(1);
  });

  it("draws the rule of a baseline that has no lane", () => {
    const shown = model.cells.filter((cell) => cell.id === "c5");
    const few = dotLayout(model, axis, { zoomed: false, heading: false, shown });
    expect(few.lanes).toHaveLength(1);
    expect(few.baselines[0]!.x).toBe(layout.baselines[0]!.x);
    expect(few.published).toHaveLength(1);
  });

  it("draws intervals only where the model has them", () => {
    const partial = layout.marks.find((mark) => mark.cellId === "c8");
    expect(partial?.error).toBeNull();
    const full = layout.marks.find((mark) => mark.cellId === "c5")!;
    const interval = model.cells.find((cell) => cell.id === "c5")!.summaries["tps"]!.interval!;
    expect(full.x - full.error![0]).toBeCloseTo(interval.low);
    expect(full.x + full.error![1]).toBeCloseTo(interval.high);
  });

  it("draws the published ratio relative to the measured baseline, and none for the baseline", () => {
    const base = model.cells[0]!.summaries["tps"]!.median!;
    const mark = layout.published.find((each) => each.cellId === "c5")!;
    expect(mark.x).toBeCloseTo(mark.ratio * base);
    expect(layout.published.map((each) => each.cellId)).toEqual(["c2", "c3", "c4", "c5", "c6"]);
  });

  it("draws one rule for one baseline, over all rows", () => {
    expect(layout.baselines).toEqual([{ x: model.cells[0]!.summaries["tps"]!.median, top: 0, bottom: layout.height }]);
  });

  it("groups nested rows under headings, and names the series of each lane where there are many", () => {
    const cells = model.cells.map((cell) => ({ ...cell, row: `${cell.row}, 8 clients` }));
    const legend = [1, 2, 4, 8].map((clients) => ({ level: String(clients), label: `${clients} clients`, color: 0, shape: 0 }));
    const nested = dotLayout({ ...model, cells, legend }, axis, { zoomed: false, heading: false });
    expect(nested.rows.slice(0, 2)).toMatchObject([{ isGroup: true, label: "same_container" }, { isGroup: false, label: "8 clients" }]);
    expect(nested.rows.filter((row) => row.isGroup)).toHaveLength(6);
    expect(nested.lanes[0]!.end).toBe("proxy on, n = 10");
    expect(Math.max(...nested.lanes.map((lane) => lane.y))).toBeLessThan(nested.height);
  });

  it("does not split a group whose label contains a comma", () => {
    const label = "Reverse proxy nginx (HTTP), published port";
    const cells = model.cells.slice(0, 2).map((cell) => ({ ...cell, row: label, row_group: label }));
    expect(dotLayout({ ...model, cells }, axis, { zoomed: false, heading: false }).rows).toMatchObject([{ isGroup: false, label }]);
    const nested = cells.map((cell, index) => ({ ...cell, row: `${label}, ${index + 1} clients` }));
    const { rows } = dotLayout({ ...model, cells: nested }, axis, { zoomed: false, heading: false });
    expect(rows.map((row) => row.label)).toEqual([label, "1 clients", "2 clients"]);
  });

  it("notes that the tool does not report a metric, where a measured cell has no figure", () => {
    const measured = model.cells[0]!;
    expect(withoutFigure(measured, "measured")).toMatchObject({ word: "not reported by pgbench" });
    expect(withoutFigure({ ...measured, state: "failed" }, "measured")).toMatchObject({ word: "failed" });
    expect(withoutFigure({ ...measured, state: "infeasible" }, "imported")).toMatchObject({ word: "not imported" });
  });

  it("draws the published ratio for the first metric only", () => {
    expect(layout.published.length).toBeGreaterThan(0);
    expect(dotLayout(model, model.axes[1]!, { zoomed: false, heading: false }).published).toEqual([]);
  });

  it("adds height for headings where the chart is narrow", () => {
    const narrow = dotLayout(model, axis, { zoomed: false, heading: true });
    expect(narrow.height).toBe(layout.height + layout.rows.length * 20);
    expect(narrow.rows.every((row) => row.y > row.top && row.y < row.bottom)).toBe(true);
  });
});

describe("sentences", () => {
  it("state that no cell is shown", () => {
    expect(dotSentence([], axis, "measured")).toBe("Median transactions per second: no cell is shown.");
    expect(roleSentence(roleLayout({ ...model, cells: [] }, "cores"), "cores", "transaction")).toBe("CPU by role in cores: no cell is shown.");
  });
});

describe("jitter", () => {
  it("depends on cell and round only, and is within the lane", () => {
    const shifts = Array.from({ length: 200 }, (_, index) => jitter(`c${index % 20}`, Math.floor(index / 20)));
    expect(jitter("c1", 2)).toBe(jitter("c1", 2));
    expect(Math.max(...shifts.map(Math.abs))).toBeLessThanOrEqual(6);
    expect(new Set(shifts).size).toBeGreaterThan(100);
  });
});

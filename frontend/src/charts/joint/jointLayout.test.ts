import { describe, expect, it } from "vitest";
import type { ChartCell, ChartModel } from "@/api/generated";
import { chartModel } from "@/testing/chartModel";
import { onAgainstOff, sweepOf } from "@/testing/sharedRows";
import { placeColumns } from "./columns";
import { jointDots, jointMarks } from "./jointDots";
import { answerFirst, jointCells, jointLayout } from "./jointLayout";

const axisOf = (model: ChartModel) => model.axes[0]!;
const layoutOf = (model: ChartModel, options: Partial<Parameters<typeof jointLayout>[2]> = {}) =>
  jointLayout(model, axisOf(model), { shown: jointCells(model), isZoomed: false, isNarrow: false, ...options });
const linesOf = (model: ChartModel, options = {}) => layoutOf(model, options).lines;
const withValues = (model: ChartModel, change: (cell: ChartCell, at: number) => readonly number[]): ChartModel => ({
  ...model,
  cells: model.cells.map((cell, at) => {
    const values = [...change(cell, at)];
    const median = values[Math.floor(values.length / 2)] ?? null;
    return { ...cell, rounds: values.map((_, round) => round + 1), summaries: { ...cell.summaries, tps: { n: values.length, median, interval: null, cv_percent: null, values } } };
  }),
});

describe("the lines of the joint chart", () => {
  it("have on and off of a path next to each other, with the path named once", () => {
    expect(linesOf(onAgainstOff()).map(({ name, level, starts }) => [name, level, starts])).toEqual([
      ["same_container", "on", true],
      ["", "off", false],
      ["sibling_container", "on", true],
      ["", "off", false],
      ["published_loopback", "on", true],
      ["", "off", false],
    ]);
  });

  it("print the median, the change against the other end, and the cores of the proxy", () => {
    const [on, off] = linesOf(onAgainstOff()).slice(-2);
    expect([on!.value, off!.value]).toEqual([expect.stringMatching(/^10,\d{3}$/), expect.stringMatching(/^15,\d{3}$/)]);
    expect([on!.comparison?.baseline_id, off!.comparison]).toEqual(["c6", null]);
    expect([on!.cores, off!.cores]).toEqual([expect.stringMatching(/^0\.[1-9]\d$/), "0"]);
  });

  it("print the cores of all roles where no cell has a proxy", () => {
    const model = onAgainstOff();
    const cells = model.cells.map((cell) => ({ ...cell, cpu: cell.cpu.filter(({ role }) => role !== "proxy") }));
    const layout = layoutOf({ ...model, cells });
    expect(layout.cpu.hasProxy).toBe(false);
    expect(layout.lines[0]!.cores).toMatch(/^1\.\d\d$/);
  });

  it("leave out A/A duplicates, which measure the method", () => {
    const model = chartModel("measured");
    expect(jointCells(model).map(({ id }) => id)).not.toContain("c1-aa");
    expect(jointCells({ cells: model.cells.filter(({ is_duplicate: isDuplicate }) => isDuplicate) })).toHaveLength(1);
  });

  it("of a sweep have a heading for each path, and names that differ", () => {
    const lines = linesOf(sweepOf(2, [1, 8, 32]));
    expect(lines).toHaveLength(14);
    expect(lines.filter(({ kind }) => kind === "heading").map(({ name }) => name)).toEqual(["Path 1", "Path 2"]);
    expect(lines.slice(1, 5).map(({ name, level }) => `${name} ${level}`)).toEqual(["1 clients on", " off", "8 clients on", " off"]);
  });

  it("of 2 paths, on and off, and 3 numbers of clients fit into 310 pixels", () => {
    const { height, lineHeight } = layoutOf(sweepOf(2, [1, 8, 32]));
    expect(lineHeight).toBe(22);
    expect(height).toBeLessThanOrEqual(310);
  });

  it("have the name of a cell above its plots on a narrow screen", () => {
    const lines = linesOf(onAgainstOff(), { isNarrow: true });
    expect(lines.map(({ kind }) => kind).slice(0, 6)).toEqual(["row", "figures", "cell", "figures", "cell", "row"]);
    expect(lines).toHaveLength(15);
  });

  it("are those of a cell without figures, too", () => {
    const waiting = linesOf(chartModel("all")).find(({ key }) => key === "c10")!;
    expect([waiting.value, waiting.cores, waiting.comparison]).toEqual(["", "", null]);
  });
});

describe("the rows of the answer", () => {
  it("are first where there are many, with those of its baseline after it", () => {
    const model = sweepOf(6, [1, 8]);
    const found = answerFirst(jointCells(model), "c5-4-8", "tps").map(({ id }) => id);
    expect(found.slice(0, 4)).toEqual(["c5-4-8", "c6-4-8", "c5-4-1", "c6-4-1"]);
    expect(new Set(found).size).toBe(24);
  });

  it("stay in the order of the plan where all are seen at once, and where no cell is quoted", () => {
    const few = sweepOf(2, [1, 8, 32]);
    expect(answerFirst(few.cells, "c5-1-32", "tps")).toEqual(few.cells);
    const many = sweepOf(6, [1, 8]);
    expect(answerFirst(many.cells, null, "tps")).toEqual(many.cells);
  });
});

describe("the scale of throughput", () => {
  it("begins at 0, and is zoomed on request", () => {
    const model = onAgainstOff();
    expect(layoutOf(model).rate.domain).toEqual([0, 20000]);
    expect(layoutOf(model, { isZoomed: true }).rate.domain).toEqual([9000, 19000]);
  });

  it("is logarithmic for values over six decades", () => {
    const model = withValues(onAgainstOff(), (_, at) => [10 ** at, 10 ** at * 1.1]);
    const { rate } = layoutOf(model);
    expect([rate.isLog, rate.domain]).toEqual([true, [0, 7]]);
    expect(linesOf(model).map(({ value }) => value).slice(0, 2)).toEqual(["1.1", "110"]);
    expect(rate.ticks(4).map((tick) => rate.format(tick, []))).toEqual(["1", "100", "10,000", "1,000,000"]);
    expect(jointDots(layoutOf(model), axisOf(model)).medians.map(({ x }) => Math.round(x))).toEqual([0, 2, 3, 4, 5, 6]);
  });

  it("has a length where every value is zero", () => {
    const model = withValues(onAgainstOff(), () => [0, 0]);
    const flat = { ...model, axes: [{ ...axisOf(model), domain: [0, 0] as [number, number], zoom: [0, 0] as [number, number] }, model.axes[1]!] };
    expect(layoutOf(flat).rate.domain).toEqual([0, 1]);
    expect(jointDots(layoutOf(flat), axisOf(flat)).medians).toHaveLength(6);
  });
});

describe("CPU by role", () => {
  it("has neither idle nor stolen time, and the cores of the host as a limit", () => {
    const { cpu } = layoutOf(onAgainstOff());
    expect(cpu.roles).toEqual(["client", "server", "proxy", "kernel", "other", "unattributed"]);
    expect([cpu.cores, cpu.isBeyond]).toEqual([4, false]);
    expect(cpu.domain[1]).toBeCloseTo(4, 6);
  });

  it("is absent where it was not measured, as in an imported run", () => {
    const model = onAgainstOff();
    const { cpu, lines } = layoutOf({ ...model, cells: model.cells.map((cell) => ({ ...cell, cpu: [] })) });
    expect([cpu.isMeasured, cpu.isBeyond, cpu.domain]).toEqual([false, false, [0, 1]]);
    expect(lines.every(({ cores }) => cores === "")).toBe(true);
  });
});

describe("the marks for the keyboard", () => {
  it("are the median, the CPU and the trials of each cell, with their figures", () => {
    const model = onAgainstOff();
    const layout = layoutOf(model);
    const marks = jointMarks(layout, jointDots(layout, axisOf(model)), axisOf(model), { onTrial: undefined, onCell: undefined });
    const own = marks.filter(({ group }) => group === "c5");
    expect(own).toHaveLength(12);
    expect(own[1]!.text).toMatch(/^published_loopback, proxy on: 1\.\d\d cores used; .*proxy 0\.\d\d/);
    expect(own[2]!.text).toMatch(/round \d+.*10,\d{3}|9,\d{3}/);
  });

  it("have the values of a logarithmic scale, not their positions", () => {
    const model = withValues(onAgainstOff(), (_, at) => [10 ** at]);
    const layout = layoutOf(model);
    const marks = jointMarks(layout, jointDots(layout, axisOf(model)), axisOf(model), { onTrial: undefined, onCell: undefined });
    expect(marks.find(({ key }) => key === "c6 1")!.text).toContain("1,000,000");
  });
});

describe("the columns", () => {
  it("give both plots the same width, within that of the chart", () => {
    const layout = layoutOf(onAgainstOff());
    const { rate, cpu, tracks } = placeColumns(layout, 1196, false, 14);
    expect(rate.width).toBe(cpu.width);
    expect(rate.width).toBeGreaterThan(250);
    const all = tracks.split(" ").reduce((sum, track) => sum + Number.parseInt(track, 10), 0);
    expect(all + 6 * 14).toBeLessThanOrEqual(1196);
  });

  it("do not fit where a plot would be too narrow beside them", () => {
    const layout = layoutOf(onAgainstOff());
    expect([1196, 700, 480].map((width) => placeColumns(layout, width, false, 14).fits)).toEqual([true, true, false]);
    expect(placeColumns(layout, 480, true, 14).fits).toBe(true);
  });

  it("give throughput the room of CPU that was not measured", () => {
    const model = onAgainstOff();
    const layout = layoutOf({ ...model, cells: model.cells.map((cell) => ({ ...cell, cpu: [] })) });
    expect(placeColumns(layout, 1196, false, 14).rate.width).toBeGreaterThan(600);
  });
});

describe("a run in progress", () => {
  const running = (measured: number): ChartModel => {
    const model = { ...onAgainstOff(), state: "running" as const };
    const waiting = ({ summaries }: ChartCell) => Object.fromEntries(Object.entries(summaries).map(([metric, each]) => [metric, { ...each, n: 0, median: null, interval: null, values: [] }]));
    const cells = model.cells.map((cell, at) => (at < measured ? cell : { ...cell, state: "waiting" as const, cpu: [], rounds: [], summaries: waiting(cell) }));
    return { ...model, cells };
  };

  it("has the room of figures that come later: nothing moves as they come", () => {
    const at = (measured: number) => {
      const layout = layoutOf(running(measured));
      return [placeColumns(layout, 1196, false, 14), layout.height, layout.lines.map(({ key, y }) => [key, y]), layout.cpu.roles];
    };
    expect(at(0)).toEqual(at(3));
    expect(at(3)).toEqual(at(7));
  });

  it("has no numbers at its axes before the first figure", () => {
    const { rate, cpu } = layoutOf(running(0));
    expect([rate.ticks(4), cpu.isEmpty, cpu.isBeyond]).toEqual([[], true, false]);
    expect(layoutOf(running(3)).rate.ticks(4).length).toBeGreaterThan(1);
  });
});

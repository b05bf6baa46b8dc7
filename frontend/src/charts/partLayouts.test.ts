import { describe, expect, it } from "vitest";
import type { RunComparisonRow, RunComparisonTable } from "@/api/generated";
import { sweepModel, wholeModel } from "@/testing/chartParts";
import { errorOf, extent, namesFit, niceDomain, nameWidth, overhang, withHeadings } from "./intervalLayout";
import { kneeLayout, kneeSentence, formatKnee, positionOf } from "./kneeLayout";
import { formatHops, hopCostLayout, hopCostSentence, costDecimals, formatCost } from "./hopCostLayout";
import { marginBand } from "./effectPanels";
import { ratioLayout, ratioSentence } from "./ratioLayout";

describe("intervals", () => {
  it("have a domain between round numbers that includes all values and the reference value", () => {
    expect(niceDomain([16, 63, 67], 0)).toEqual([0, 80]);
    expect(niceDomain([-13.6, -15], 0)).toEqual([-15, 0]);
    expect(niceDomain([0.93, 1.08], 1)[0]).toBeLessThanOrEqual(0.93);
    expect(niceDomain([], 1)).toEqual([0, 2]);
  });

  it("have names above their rows where they would be too wide beside them", () => {
    const rows = [{ key: "a", label: "published_loopback, proxy on", y: 12, top: 0 }, { key: "b", label: "b", y: 36, top: 24 }];
    expect(namesFit(rows, 900)).toBe(true);
    expect(namesFit(rows, 360)).toBe(false);
    const marks = rows.map((row, index) => ({ key: row.key, row: index, x: 1, y: row.y, error: null, color: 0, shape: 0, title: "", lines: [] }));
    const above = withHeadings({ height: 48, rows, marks }, 360);
    expect(above.height).toBe(88);
    expect(above.rows.map(({ y }) => y)).toEqual([10, 54]);
    expect(above.marks.map(({ y }) => y)).toEqual([32, 76]);
    expect(nameWidth(rows)).toBeGreaterThan(180);
  });

  it("have long names in several lines, each within the chart, and what follows below them", () => {
    const label = "Published port on 127.0.0.1, userland-proxy on, 16 clients, new connection for each transaction";
    const rows = [{ key: "a", label, y: 12, top: 0 }, { key: "b", label: "b", y: 36, top: 24 }];
    const marks = rows.map((row, index) => ({ key: row.key, row: index, x: 1, y: row.y, error: null, color: 0, shape: 0, title: "", lines: [] }));
    const above = withHeadings({ height: 48, rows, marks }, 320);
    const [first, second] = above.rows;
    expect(first?.heading.join(" ")).toBe(label);
    expect(first?.heading.every((line) => line.length * 7.4 <= 320)).toBe(true);
    expect(first?.heading).toHaveLength(3);
    expect(above.height).toBe(48 + 50 + 20);
    expect([second?.top, second?.y]).toEqual([74, 84]);
    expect(above.marks.map(({ y }) => y)).toEqual([62, 106]);
    expect(withHeadings({ height: 24, rows: [{ key: "a", label: "x".repeat(400), y: 12, top: 0 }], marks: [] }, 320).rows[0]?.heading.at(-1)).toMatch(/x…$/);
  });

  it("leave room for the first and the last tick’s label", () => {
    expect(overhang("0.6")).toBeGreaterThan(10);
    expect(overhang(undefined)).toBe(2);
  });

  it("are clipped to the domain, and null where they are missing", () => {
    expect(errorOf(5, { low: 1, high: 20 }, [2, 10])).toEqual([3, 5]);
    expect(errorOf(5, null, [2, 10])).toBeNull();
    expect(extent([{ value: null, interval: null }, { value: 3, interval: { low: 1, high: 4 } }])).toEqual([3, 1, 4]);
  });
});

describe("hopCostLayout", () => {
  const model = wholeModel();
  const [ladder] = model.ladders;
  const layout = hopCostLayout(model, ladder!, "transaction");

  it("has one row per step, and a mark for each measured cost", () => {
    expect(layout.rows.map((row) => [row.label, row.sub])).toEqual([
      ["sibling_container, proxy on", "+ veth  + bridge  − loopback"],
      ["published_loopback, proxy on", "+ docker-proxy"],
    ]);
    const [cpu, throughput] = layout.sides;
    expect(cpu!.marks.map((mark) => mark.x)).toEqual([16.1, 63]);
    expect(throughput!.marks.map((mark) => mark.x)).toEqual([-13.6]);
    expect(cpu!.domain[0]).toBe(0);
    expect(throughput!.domain[1]).toBe(0);
    expect(cpu!.marks[1]!.y).toBe(layout.rows[1]!.y);
  });

  it("writes costs with sign and as many digits as the interval justifies", () => {
    const [first] = ladder!.rungs;
    expect(formatCost(first!.cpu!)).toBe("+16.1 µs");
    expect(formatCost(first!.throughput!)).toBe("−13.6 %");
    expect(costDecimals({ ...first!.cpu!, interval: { low: 0, high: 40 } })).toBe(0);
    expect(formatHops({ ...first!, added: [], removed: ["dnat"] })).toBe("− dnat");
    expect(hopCostSentence(model, ladder!)).toContain("sibling_container, proxy on to published_loopback, proxy on, + docker-proxy: +63.0 µs (95 % interval +59.0 to +67.0)");
  });
});

describe("kneeLayout", () => {
  const model = sweepModel();
  const [knee] = model.knees;
  const layout = kneeLayout(model, knee!);

  it("spaces loads equally, and interpolates the position of the knee", () => {
    expect(layout.points.map((point) => [point.x, point.level])).toEqual([[0, 1000], [1, 2000], [2, 4000], [3, 8000]]);
    expect(layout.knee).toEqual({ x: 2, from: 1.5, to: 2 });
    expect(positionOf([1000, 2000], 500)).toBe(0);
    expect(positionOf([1000, 2000], 9000)).toBe(1);
  });

  it("uses a logarithmic axis for a wide range, for figures, limit and intervals", () => {
    expect(layout.log).toBe(true);
    expect(layout.limit).toBeCloseTo(Math.log10(5));
    expect(layout.points[0]!.y).toBeCloseTo(Math.log10(1.2));
    expect(layout.points[3]!.error![1]).toBeCloseTo(Math.log10(1.2));
    expect(layout.ticks.map((tick) => tick.label)).toEqual(["1", "10", "100", "1,000"]);
    const cells = model.cells.map((cell) => ({ ...cell, summaries: { ...cell.summaries, open_latency_p99_ms: { ...cell.summaries["open_latency_p99_ms"]!, median: 2, interval: null } } }));
    expect(kneeLayout({ ...model, cells }, knee!)).toMatchObject({ log: false, limit: 5 });
  });

  it("draws no figure for a cell without one", () => {
    const cells = model.cells.map((cell, index) => (index === 1 ? { ...cell, state: "failed" as const } : cell));
    const [, second] = kneeLayout({ ...model, cells }, knee!).points;
    expect(second).toMatchObject({ level: 2000, y: null, error: null });
  });

  it("names a knee beyond the sweep", () => {
    expect(formatKnee(knee!, layout)).toBe("4,000");
    expect(formatKnee({ ...knee!, beyond: "above", level: 8000 }, layout)).toBe("at least 8,000");
    expect(formatKnee({ ...knee!, beyond: "below", level: null }, layout)).toBe("below 1,000");
    expect(formatKnee({ ...knee!, level: null }, layout)).toBe("–");
    expect(kneeSentence(model, model.knees)).toContain("1,000: 1.20 ms, 2,000: 1.40 ms");
  });
});

describe("ratioLayout", () => {
  const side = { cell_id: "c1", n: 10, median: 100, interval: null, ratio: null, ratio_interval: null };
  const row = (label: string, ratio: number | null): RunComparisonRow => ({
    label, levels: {}, is_baseline: false, a: side, b: ratio === null ? null : side, n: 10, ratio,
    interval: ratio === null ? null : { low: ratio - 0.02, high: ratio + 0.02 }, interval_90: null, p: 0.1, p_holm: 0.2, method: "paired", verdict: ratio === null ? null : "worse", sentence: "",
  });
  const table: RunComparisonTable = { metric: "tps", label: "tps", unit: "1/s", better: "higher", decimals: 0, headline: "", rows: [row("one", 0.9), row("two", null), row("three", 1.02)] };

  it("draws the cells that both runs have, with the margin around 1", () => {
    const [panel, ...more] = ratioLayout(table, 0.05).panels;
    expect(more).toEqual([]);
    expect(panel!.rows.map(({ label }) => label)).toEqual(["one", "three"]);
    expect(panel!.band).toEqual(marginBand(0.05));
    expect(panel!.band![0]).toBeCloseTo(1 / 1.05);
    expect(panel!.domain[0]).toBeLessThanOrEqual(0.88);
    expect(panel!.domain[1]).toBeGreaterThanOrEqual(1.05);
    expect(ratioSentence(table)).toContain("two: not compared");
  });

  const apart = (label: string, value: number, low: number, high: number): RunComparisonRow => ({ ...row(label, null), b: side, verdict: "worse", difference: { value, interval: { low, high }, interval_unadjusted: null, unit: "segments" } });

  it("draws a difference, where a value is zero, on an axis of its own in its unit", () => {
    const { panels } = ratioLayout({ ...table, rows: [...table.rows, apart("from zero", 1121, 914, 1274)] }, 0.05);
    expect(panels.map(({ rule, unit }) => [rule, unit])).toEqual([[1, undefined], [0, "segments"]]);
    const [mark] = panels[1]!.marks;
    expect(mark).toMatchObject({ x: 1121, error: [207, 153], title: "from zero" });
    expect(mark!.lines.slice(0, 2)).toEqual([["difference B − A", "+1,121 segments"], ["95 % interval", "+914 to +1,274"]]);
    expect(panels[1]!.domain).toEqual([0, 1500]);
    expect(panels[1]!.band).toBeUndefined();
    expect(ratioSentence({ ...table, rows: [apart("from zero", 1121, 914, 1274)] })).toContain("from zero: +1,121 segments (+914 to +1,274)");
    expect(ratioLayout({ ...table, rows: [apart("from zero", 1121, 914, 1274)] }, 0.05).panels).toHaveLength(1);
  });

  it("cuts an interval that reaches far beyond every ratio", () => {
    const wide = { ...row("wide", 1.1), interval: { low: 0.001, high: 955 } };
    const [panel] = ratioLayout({ ...table, rows: [row("one", 0.9), wide] }, 0.05).panels;
    expect(panel!.domain[1]).toBeLessThanOrEqual(4);
  });

  it("limits the number of rows, and counts the others", () => {
    const many = { ...table, rows: Array.from({ length: 200 }, (_, index) => row(`cell ${index}`, 1)) };
    expect(ratioLayout(many, 0.05)).toMatchObject({ hidden: 50 });
  });
});

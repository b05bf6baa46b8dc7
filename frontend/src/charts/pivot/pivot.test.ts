import { describe, expect, it } from "vitest";
import type { VerdictKind } from "@/api/types";
import { chartModel } from "@/testing/chartModel";
import { sweepModel } from "@/testing/chartParts";
import { facetLayout } from "./facetLayout";
import { addressOf, choiceOf, variedFactors, withRole } from "./pivotChoice";
import { pivot } from "./pivotLayout";

const model = chartModel("all");
const axis = model.axes[0]!;
const query = (text: string) => new URLSearchParams(text);
const usual = choiceOf(model, query(""));

describe("pivotChoice", () => {
  it("names a path by its title, where the service gives it", () => {
    const titled = { ...model, cells: model.cells.map((cell) => ({ ...cell, path_title: `Title of ${String(cell.levels["path"])}` })) };
    expect(variedFactors(titled)[0]!.levels[0]).toBe("Title of same_container");
  });

  it("finds the varied factors, and starts with the run's rows and series", () => {
    expect(variedFactors(model).map(({ name, levels }) => [name, levels.length])).toEqual([["path", 6], ["userland_proxy", 2]]);
    expect(usual).toMatchObject({ rows: "path", columns: "userland_proxy", color: null, panels: null, metric: "tps", view: "table", sameScale: true });
  });

  it("writes a choice to the address, and reads it again", () => {
    const choice = { ...withRole(usual, "panels", "path"), metric: "cpu_us_per_txn", view: "chart" as const, sameScale: false };
    const address = new URLSearchParams(Object.entries(addressOf(choice)).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
    expect(choiceOf(model, address)).toEqual(choice);
  });

  it("uses a factor in one role only, and swaps two roles", () => {
    expect(withRole(usual, "columns", "path")).toMatchObject({ rows: "userland_proxy", columns: "path" });
    expect(withRole(usual, "color", null)).toEqual(usual);
    expect(choiceOf(model, query("pivot_rows=path&pivot_columns=path"))).toMatchObject({ rows: "path", columns: null });
    expect(choiceOf(model, query("pivot_rows=carrier&pivot_metric=nonsense"))).toMatchObject({ rows: null, metric: "tps" });
  });
});

describe("pivot", () => {
  const found = pivot(model, usual, axis);
  const at = (path: string, proxy: string) => found.panels[0]!.entries[found.rows.indexOf(path)]![found.columns.indexOf(proxy)]!;

  it("has every cell but the duplicate in exactly one position", () => {
    expect(found.rows).toHaveLength(6);
    expect(found.columns).toEqual(["on", "off"]);
    const ids = found.panels.flatMap((panel) => panel.entries.flat(2).map(({ cell }) => cell.id));
    expect(ids.sort()).toEqual(model.cells.filter((cell) => !cell.is_duplicate).map(({ id }) => id).sort());
  });

  it("colours by the ratio in the metric's better direction, grey where no difference is shown", () => {
    expect(at("published_loopback", "on")[0]!.tint).toEqual({ kind: "worse", strength: 1 });
    expect(at("same_container", "off")[0]!.tint).toEqual({ kind: "grey" });
    expect(at("same_container", "on")[0]).toMatchObject({ tint: { kind: "base" }, label: { word: "baseline" } });
    const better = pivot({ ...model, axes: [{ ...axis, better: "lower" }] }, usual, { ...axis, better: "lower" });
    expect(better.panels[0]!.entries[found.rows.indexOf("published_loopback")]![0]![0]!.tint).toMatchObject({ kind: "better" });
  });

  it("colours by the verdict, not by the interval", () => {
    const tint = (verdict: VerdictKind) => {
      const cells = model.cells.map((cell) => (cell.id === "c5" ? { ...cell, comparisons: { tps: { ...cell.comparisons["tps"]!, verdict } } } : cell));
      return pivot({ ...model, cells }, usual, axis).panels[0]!.entries[found.rows.indexOf("published_loopback")]![0]![0]!.tint.kind;
    };
    expect((["worse", "different_within_margin", "no_difference_shown", "not_enough_rounds", "equivalent"] as const).map(tint)).toEqual(["worse", "worse", "grey", "grey", "grey"]);
  });

  it("has one colour where no factor is assigned to it", () => {
    const colours = (colour: string | null) => new Set(pivot(model, { ...usual, columns: null, color: colour }, axis).panels[0]!.entries.flat(2).map(({ color, shape }) => `${color} ${shape}`));
    expect(colours(null)).toEqual(new Set(["0 0"]));
    expect(colours("userland_proxy").size).toBe(2);
  });

  it("names the factors in which cells of one position differ, besides the colour", () => {
    expect(found.differing).toEqual([]);
    expect(pivot(model, { ...usual, columns: null }, axis).differing).toEqual(["userland_proxy"]);
    expect(pivot(model, { ...usual, columns: null, color: "userland_proxy" }, axis).differing).toEqual([]);
  });

  it("shows the state of a cell without a figure, without a colour", () => {
    expect(at("published_ipv6_loopback", "off")[0]).toMatchObject({ summary: null, label: { word: "cannot run here" }, tint: { kind: "none" } });
    expect(at("container_address", "on")[0]).toMatchObject({ label: { word: "failed" } });
  });

  it("colours by value where there is no comparison", () => {
    const cells = model.cells.map((cell) => ({ ...cell, comparisons: {} }));
    const plain = pivot({ ...model, cells }, usual, axis).panels[0]!.entries.flat(2);
    expect(plain.find(({ cell }) => cell.id === "c5")!.tint).toEqual({ kind: "value", strength: 0 });
    expect(Math.max(...plain.map(({ tint }) => (tint.kind === "value" ? tint.strength : 0)))).toBe(1);
  });

  it("has a panel per level, names the other factors, and leaves out empty panels", () => {
    const panels = pivot(model, { ...usual, rows: null, columns: null, panels: "userland_proxy" }, axis).panels;
    expect(panels.map(({ title }) => title)).toEqual(["userland-proxy on", "userland-proxy off"]);
    expect(panels[0]!.entries[0]![0]!.map(({ name }) => name)).toContain("published_loopback");
  });
});

describe("facetLayout", () => {
  const sweep = sweepModel();
  const choice = { ...choiceOf(sweep, query("")), rows: "rate", columns: null, color: "path", panels: null };
  const metric = sweep.axes[0]!;
  const found = pivot(sweep, choice, metric);
  const layout = facetLayout(sweep, found, choice, metric);

  it("draws the colours of one row side by side", () => {
    expect(layout.facets).toHaveLength(1);
    const [first, second] = layout.facets[0]!.marks;
    expect(second!.y).toBeGreaterThan(first!.y);
    expect(new Set(layout.facets[0]!.marks.map((mark) => mark.color)).size).toBe(2);
    expect(found.legend.map(({ label }) => label)).toEqual(["same_container", "published_loopback"]);
    expect(layout.facets[0]!.rule).toBeUndefined();
  });

  it("has a chart per column and panel, with one scale or separate scales", () => {
    const wide = { ...choice, rows: "path", columns: "rate", color: null };
    const own = facetLayout(sweep, pivot(sweep, wide, metric), { ...wide, sameScale: false }, metric);
    expect(own.facets.map(({ title }) => title)).toEqual(["rate 1,000", "rate 2,000", "rate 4,000", "rate 8,000"]);
    expect(own.facets[0]!.domain[1]).toBeLessThan(10);
    expect(own.facets[3]!.domain[1]).toBeGreaterThan(300);
    const same = facetLayout(sweep, pivot(sweep, wide, metric), wide, metric);
    expect(new Set(same.facets.map(({ domain }) => domain[1])).size).toBe(1);
    expect(same.facets[0]!.rule).toBe(1.2);
  });

  it("includes the baseline's rule in each chart's own scale", () => {
    const low = model.cells.map((cell) => (cell.is_baseline ? cell : { ...cell, summaries: { tps: { ...cell.summaries["tps"]!, median: 10, interval: null } } }));
    const own = { ...usual, columns: "userland_proxy", sameScale: false };
    const changed = { ...model, cells: low };
    for (const facet of facetLayout(changed, pivot(changed, own, axis), own, axis).facets) if (facet.rule !== undefined) expect(facet.domain[1]).toBeGreaterThanOrEqual(facet.rule);
    expect(facetLayout(changed, pivot(changed, own, axis), own, axis).facets[1]!.rule).toBeGreaterThan(1000);
  });

  it("counts cells without a figure", () => {
    const all = facetLayout(model, pivot(model, usual, axis), usual, axis);
    expect(all.facets.map(({ missing }) => missing)).toEqual([3, 2]);
  });
});

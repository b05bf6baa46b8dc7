import { describe, expect, it } from "vitest";
import type { Axis, ChartModel, ResultPanels } from "@/api/generated";
import { chartModel } from "@/testing/chartModel";
import { sweepModel, wholeModel } from "@/testing/chartParts";
import { sweepOf } from "@/testing/sharedRows";
import { imageChoice, imageDetail, imageKinds } from "./imageKinds";

const axis = (metric: string): Axis => ({
  metric,
  label: metric,
  unit: "1/s",
  better: "higher",
  domain: [0, 1],
  zoom: [0, 1],
  decimals: 0,
});
const panels: ResultPanels = {
  run_id: "r",
  sweeps: [
    {
      factor: "clients",
      label: "clients",
      levels: [],
      axes: ["tps", "cpu_us_per_txn", "proxy_cpu_cores"].map(axis),
      series: [],
      left_out: 0,
    },
  ],
  trade_offs: [{ cost_axis: axis("cpu_us_per_txn"), rate_axis: axis("tps"), points: [], frontier: [], left_out: 0 }],
  latencies: [{ loop: "closed", names: [], domain: [0, 1], decimals: 1, rows: [], left_out: 0 }],
};
const NONE = { ladders: [], knees: [] };
const values = (...given: Parameters<typeof imageKinds>) =>
  imageKinds(...given).map(({ value }) => value);

/** The picture that is downloaded where nothing else is chosen. */
function first(model: ChartModel, kind: Parameters<typeof imageDetail>[1], chosen: string | null = null) {
  const requested = { panels };
  return imageChoice(model, kind, imageDetail(model, kind, requested), chosen);
}

describe("imageKinds", () => {
  it("begins with throughput and CPU, and includes costs and knees only where there are any", () => {
    expect(values({ ...chartModel("measured"), ...NONE })).toEqual([
      "joint",
      "roles",
      "dots",
      "heatmap",
      "facets",
    ]);
    expect(values({ ...wholeModel(), knees: [] })).toContain("ladder");
    expect(values({ ...sweepModel(), ladders: [] })).toContain("knee");
  });

  it("includes what has to be requested once it is known to be there", () => {
    const found = values({ ...chartModel("measured"), ...NONE }, { panels, hasSeries: true });
    expect(found).toEqual(expect.arrayContaining(["sweep", "trade_off", "latency", "series"]));
    const empty = { ...panels, sweeps: [], trade_offs: [], latencies: [] };
    expect(values({ ...chartModel("measured"), ...NONE }, { panels: empty })).not.toContain("sweep");
  });

  it("includes no CPU by role where no cell has any", () => {
    const cells = chartModel("measured").cells.map((cell) => ({ ...cell, cpu: [] }));
    expect(imageKinds({ cells, ...NONE }).map(({ label }) => label)).toEqual([
      "Throughput",
      "One metric, every trial",
      "Table by factors, in colours",
      "Small charts by factors",
    ]);
  });

  it("includes the pivot only where two factors vary", () => {
    const { cells } = chartModel("measured");
    const on = cells.filter((cell) => cell.levels["userland_proxy"] === true);
    expect(values({ cells: on, ...NONE })).toEqual(["joint", "roles", "dots"]);
  });
});

describe("the picture of a kind", () => {
  it("has the page's defaults", () => {
    const model = chartModel("measured");
    expect(first(model, "joint")).toEqual({ kind: "joint", metric: "tps" });
    expect(first(model, "roles")).toEqual({ kind: "roles", unit: "cores" });
    expect(first(model, "series")).toEqual({ kind: "series", cells: model.cells[0]!.id });
    expect(first(model, "latency")).toEqual({ kind: "latency" });
    expect(first(model, "sweep")).toEqual({ kind: "sweep", metric: "proxy_cpu_cores" });
    expect(first(wholeModel(), "ladder")).toEqual({ kind: "ladder" });
  });

  it("has what was chosen, where there is such a choice", () => {
    const model = chartModel("measured");
    expect(first(model, "dots", "cpu_us_per_txn")).toEqual({ kind: "dots", metric: "cpu_us_per_txn" });
    expect(first(model, "dots", "no_metric")).toEqual({ kind: "dots", metric: "tps" });
  });

  it("of throughput and CPU has the rows that the page shows at first, the answer among them", () => {
    const model = sweepOf(30, [1, 8, 32]);
    const { cells = "" } = first(model, "joint");
    expect(cells.split(",")).toHaveLength(12);
  });
});

import { describe, expect, it } from "vitest";
import { chartModel } from "@/testing/chartModel";
import { roleLayout, axisEnd } from "./roleLayout";
import { cpuSamples, rateSamples, seriesRoles, stackedMaximum } from "./seriesLayout";
import { sparkLayout } from "./sparkLayout";
import { niceTicks, tickDecimals } from "./ticks";

describe("niceTicks", () => {
  it.each([
    [[0, 20_000], 4, [0, 5000, 10_000, 15_000, 20_000]],
    [[0, 1], 5, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [[9_000, 19_000], 5, [10_000, 12_000, 14_000, 16_000, 18_000]],
    [[3, 3], 5, [3]],
  ] as const)("gives round values in %j", (domain, count, ticks) => {
    expect(niceTicks(domain, count)).toEqual(ticks);
  });
});

describe("tickDecimals", () => {
  it("is the number of decimals in which ticks differ", () => {
    expect(tickDecimals([0, 5000])).toBe(0);
    expect(tickDecimals([0, 0.5])).toBe(1);
    expect(tickDecimals([0, 0.02])).toBe(2);
    expect(tickDecimals([0, 1])).toBe(0);
    expect(tickDecimals([3])).toBe(0);
  });
});

describe("roleLayout", () => {
  const model = chartModel("all");

  it("ends at the host's cores, and sums the time used", () => {
    const { bars, roles } = roleLayout(model, "cores");
    const proxy = bars.find((bar) => bar.id === "c5")!;
    const shares = model.cells.find((cell) => cell.id === "c5")!.cpu;
    const used = shares.filter((share) => share.role !== "idle" && share.role !== "steal");
    expect(proxy.total).toBeCloseTo(used.reduce((sum, share) => sum + share.cores, 0));
    expect(Object.values(proxy.values).reduce((sum, value) => sum + value, 0)).toBeCloseTo(4);
    expect(roles).toEqual(["client", "server", "proxy", "kernel", "other", "unattributed", "steal", "idle"]);
  });

  it("has a heading per group and row, and names bars by their series", () => {
    const cells = model.cells.map((cell) => ({ ...cell, row: `${cell.row}, 8 clients` }));
    const { lines } = roleLayout({ ...model, cells }, "cores");
    expect(lines.slice(0, 4).map((line) => line.heading ?? line.bar.label)).toEqual(["same_container", "8 clients", "proxy on", "proxy off"]);
    expect(lines.filter((line) => line.bar)).toHaveLength(cells.length);
  });

  it("names bars by their row where there is one series", () => {
    const { lines } = roleLayout({ ...model, legend: model.legend.slice(0, 1) }, "cores");
    expect(lines.map((line) => line.bar?.label)).toEqual(model.cells.map((cell) => cell.row));
  });

  it("leaves out unused time in the cost, and where the host has far more cores than were used", () => {
    expect(roleLayout(model, "us_per_txn").roles).not.toContain("idle");
    expect(roleLayout({ ...model, cores: 64 }, "cores").roles).not.toContain("idle");
  });

  it("groups the bars of a row under its heading", () => {
    const { lines } = roleLayout(model, "cores");
    expect(lines.slice(0, 5).map((line) => line.heading ?? line.bar.label)).toEqual(["same_container", "proxy on", "proxy off", "(A/A), proxy on", "sibling_container"]);
  });

  it("has no bar for a cell without figures", () => {
    const { bars } = roleLayout(model, "us_per_txn");
    expect(bars.filter((bar) => bar.total === null).map((bar) => bar.cell.state)).toEqual(["failed", "contradicted", "waiting", "not_proven", "infeasible"]);
  });

  it("draws the host's cores where they are near, and leaves them to the caption where they are far", () => {
    expect(roleLayout(model, "cores")).toMatchObject({ ceiling: 4, ceilingBeyond: false });
    expect(roleLayout({ ...model, cores: 64 }, "cores")).toMatchObject({ ceiling: null, ceilingBeyond: true });
    expect(roleLayout(model, "us_per_txn")).toMatchObject({ ceiling: null, ceilingBeyond: false });
  });

  it("ends axes on round numbers above the largest value", () => {
    expect(axisEnd(1.71)).toBe(2);
    expect(axisEnd(171)).toBe(200);
    expect(axisEnd(0)).toBeGreaterThan(0);
  });
});

describe("series", () => {
  it("contain only roles that used CPU, in stacking order", () => {
    expect(seriesRoles([{ t: 0.1, cores: { kernel: 0.1, proxy: 0, client: 0.3 } }])).toEqual(["client", "kernel"]);
  });

  it("are reduced to means where they are long", () => {
    const points = Array.from({ length: 6000 }, (_, index) => ({ t: index / 10, cores: { client: index % 2, server: 1 } }));
    const samples = cpuSamples(points);
    expect(samples.length).toBeLessThanOrEqual(600);
    expect(samples[3]).toEqual({ t: 3, client: 0.5, server: 1 });
    expect(stackedMaximum(samples)).toBe(1.5);
  });

  it("are unchanged where they are short", () => {
    expect(rateSamples([{ t: 1, rate: 10, latency_ms: null, latency_stddev_ms: null }])).toEqual([{ t: 1, rate: 10 }]);
  });
});

describe("sparkLayout", () => {
  it("draws the current group separately from the previous ones, from zero", () => {
    const values = [
      { group: "a", value: 0 },
      { group: "a", value: 5 },
      { group: "b", value: 10 },
    ];
    const spark = sparkLayout(values, 298, 58);
    expect(spark.before).toBe("M4 58h0.01L14 33");
    expect(spark.now).toBe("M24 8h0.01");
    expect(spark.last).toEqual({ x: 24, y: 8 });
  });

  it("is empty without values", () => {
    expect(sparkLayout([], 100, 40)).toEqual({ before: "", now: "", last: null });
  });
});

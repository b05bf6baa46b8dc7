/** Results for tests with optional parts: thresholds, best group, cost per hop, interim analyses, drift, and a sweep with its knee. */
import type { ChartCell, ChartModel, ThresholdCell, HopCost } from "@/api/generated";
import type { ThresholdOutcome } from "@/api/types";
import { chartModel } from "./chartModel";

function cost(unit: string, estimate: number, spread: number): HopCost {
  return { n: 10, unit, estimate, interval: { low: estimate - spread, high: estimate + spread }, p: 0.00195 };
}

function tested(cell_id: string, outcome: ThresholdOutcome, value: number): ThresholdCell {
  return { cell_id, outcome, value, interval: { low: value * 0.98, high: value * 1.02 }, sentence: `${cell_id}: ${outcome}` };
}

const THRESHOLDS = {
  outcome: "fail",
  rules: [
    { threshold: "ratio(tps, baseline) >= 0.9", metric: "tps", outcome: "fail", sentence: "1 of 3 cells is below 0.9.", cells: [tested("c2", "pass", 1.006), tested("c5", "fail", 0.595), tested("c6", "not_enough_evidence", 0.899)] },
    { threshold: "cpu_us_per_txn < 200", metric: "cpu_us_per_txn", outcome: "pass", sentence: "All 6 cells pass.", cells: [tested("c1", "pass", 92)] },
  ],
} satisfies ChartModel["gate"];

/** Returns the measured result with every optional part but a sweep. */
export function wholeModel(): ChartModel {
  const model = chartModel("measured");
  const decided: Record<string, number> = { c5: 6, c3: 10 };
  return {
    ...model,
    gate: THRESHOLDS,
    cells: model.cells.map((cell) => ({ ...cell, decided_at: decided[cell.id] ?? null })),
    interim_analyses: { planned: [6, 10, 14], taken: [6, 10], sentence: "2 of 3 interim analyses were made; p-values are multiplied by 3." },
    best: [{ metric: "tps", baseline_id: "c1", leader_id: "c2", tied: ["c2", "c1"], out: ["c5", "c6"], sentence: "Two cells are tied for best." }],
    drifts: [
      { cell_id: "c1", metric: "tps", n: 10, change: -0.031, p: 0.016, significant: true, sentence: "same_container, proxy on fell by 3.1 % over the run." },
      { cell_id: "c1", metric: "cpu_us_per_txn", n: 10, change: 0.002, p: 0.7, significant: false, sentence: "No drift shown." },
    ],
    ladders: [
      {
        title: "What each hop costs",
        base_id: "c1",
        rungs: [
          { cell_id: "c3", from_id: "c1", added: ["veth", "bridge"], removed: ["loopback"], cpu: cost("µs", 16.1, 2.2), throughput: cost("%", -13.6, 1.5), sentence: "veth and bridge cost 16 µs." },
          { cell_id: "c5", from_id: "c3", added: ["docker-proxy"], removed: [], cpu: cost("µs", 63, 4), throughput: null, sentence: "docker-proxy costs 63 µs." },
        ],
      },
    ],
  };
}

const LOADS = [1000, 2000, 4000, 8000];
const P99 = [1.2, 1.4, 2.9, 240];

function swept(base: ChartCell, path: string, index: number): ChartCell {
  const p99 = (P99[index] ?? 1) * (path === "published_loopback" ? 1.5 : 1);
  return {
    ...base,
    id: `${path}-${LOADS[index]}`,
    label: `${path}, rate ${LOADS[index]}`,
    levels: { ...base.levels, path, rate: LOADS[index] ?? 0, userland_proxy: true },
    row: path,
    row_group: path,
    series: `rate ${LOADS[index]}`,
    color: index,
    shape: index,
    is_baseline: path === "same_container",
    is_duplicate: false,
    summaries: {
      open_latency_p99_ms: { n: 10, median: p99, interval: { low: p99 * 0.9, high: p99 * 1.2 }, cv_percent: 4, values: Array.from({ length: 10 }, () => p99) },
    },
    comparisons:
      path === "same_container"
        ? {}
        : { open_latency_p99_ms: { baseline_id: `same_container-${LOADS[index]}`, n: 10, ratio: 1.5, interval: { low: 1.3, high: 1.7 }, interval_90: { low: 1.34, high: 1.66 }, p: 0.002, p_holm: 0.008, method: "paired", verdict: "worse", sentence: "50 % higher" } },
    published: null,
  };
}

/** Returns two paths over four offered rates, with their knees under a limit of 5 ms. */
export function sweepModel(): ChartModel {
  const model = chartModel("measured");
  const [base] = model.cells;
  if (!base) throw new Error("no cell");
  const paths = ["same_container", "published_loopback"];
  const cells = paths.flatMap((path) => LOADS.map((_, index) => swept(base, path, index)));
  return {
    ...model,
    row_factor: "path",
    series_factor: "rate",
    legend: LOADS.map((rate, index) => ({ level: String(rate), label: `rate ${rate}`, color: index, shape: index })),
    axes: [{ metric: "open_latency_p99_ms", label: "99th percentile of latency", unit: "ms", better: "lower", domain: [0, 400], zoom: [0, 400], decimals: 2 }],
    cells,
    knees: paths.map((path) => ({
      kind: "limit", title: path, factor: "rate", metric: "open_latency_p99_ms", limit_ms: 5, cells: cells.filter((cell) => cell.row === path).map(({ id }) => id),
      n: 10, level: 4000, interval: { low: 3000, high: 4000 }, beyond: null, sentence: `${path} holds 4,000 per second under 5 ms.`,
    })),
  };
}

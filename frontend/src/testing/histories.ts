/** A history and lists of histories for tests. */
import type { History, HistoryChange, HistorySummary, ShownChange } from "@/api/generated";

const KERNEL = { key: "kernel", before: "6.1.0-20", after: "6.1.0-21", run: 5 };
const startOf = (run: number) => `2026-11-${String(run + 1).padStart(2, "0")}T02:00:00.000Z`;
const point = (value: number) => ({ value, interval: { low: value * 0.98, high: value * 1.02 }, n: 10 });

/** The ratio of cell c2 falls to 70 % with the sixth of ten runs, before which the kernel changed. */
export const CHANGE: HistoryChange = {
  cell_id: "c2",
  metric: "tps",
  basis: "ratios",
  at: 5,
  first: 5,
  last: 6,
  after_time: startOf(4),
  until_time: startOf(6),
  p_adjusted: 0.002,
  ratio: 0.7,
  interval: { low: 0.68, high: 0.72 },
  runs_before: 5,
  runs_after: 5,
  direction: "worse",
  environment: [KERNEL],
};

/** Returns a history of ten runs of a baseline and two cells on bench-1; the second one shows CHANGE. */
export function history(changes: Partial<History> = {}): History {
  const runs = Array.from({ length: 10 }, (_, run) => ({ run_id: `run_${run}`, started_at: startOf(run), state: "done", rounds: 10, suspect: false, environment_changes: run === KERNEL.run ? [KERNEL] : [] }));
  const series = (cell_id: string, basis: "ratios" | "values", before: number, after: number) => ({ cell_id, metric: "tps", basis, runs_missing: 0, points: runs.map((_, run) => point(run < 5 ? before : after)) });
  return {
    experiment_id: "exp_1",
    name: "nightly",
    title: "Nightly",
    host: "bench-1",
    hosts: [{ host: "bench-1", runs: 12 }],
    runs_shown: 10,
    runs_total: 12,
    fewest_runs: 10,
    runs_missing: 0,
    family: 5,
    permutations: 999,
    alpha: 0.01,
    metrics: [{ metric: "tps", label: "transactions per second", unit: "1/s", better: "higher", decimals: 0 }],
    runs,
    cells: ["Same container", "Host network", "Published port"].map((label, number) => ({ id: `c${number}`, label, path_title: label, levels: {}, is_baseline: number === 0 })),
    series: [series("c0", "values", 9000, 9000), series("c1", "ratios", 0.9, 0.9), series("c1", "values", 8100, 8100), series("c2", "ratios", 0.8, 0.56), series("c2", "values", 7200, 5040)],
    changes: [CHANGE],
    other_versions: [],
    ...changes,
  };
}

/** CHANGE as lists of histories have it. */
export const SHOWN: ShownChange = { metric_label: "transactions per second", ...CHANGE, id: 1, experiment_id: "exp_1", name: "nightly", title: "Nightly", host: "bench-1", label: "published port", run_id: "run_5", shown_at: startOf(9), seen: false };

export function summary(number: number, changes: Partial<HistorySummary> = {}): HistorySummary {
  return { experiment_id: `exp_${number}`, name: "nightly", title: `Nightly ${number}`, host: "bench-1", runs: 12, runs_missing: 0, last_run_at: startOf(9), changes: 0, unseen: 0, largest: null, ...changes };
}

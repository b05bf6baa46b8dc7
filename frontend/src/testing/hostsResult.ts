/** A made-up result of several hosts for tests. */
import type { Disagreement, HostFigure, HostsResult, RunGroup, RunProgress } from "@/api/generated";

const AT = "2026-11-22T10:00:00Z";
const PROGRESS = { total: 10, done: 10, failed: 0, running: 0, cancelled: 0, skipped: 0, eta_s: null } as RunProgress;

const figure = (host: string, ratio: number | null, missing: string | null = null): HostFigure => ({
  host, n: missing ? 0 : 10, median: missing ? null : 1000, median_interval: missing ? null : { low: 990, high: 1010 }, replicates: ratio === null ? 0 : 10, ratio,
  interval: ratio === null ? null : { low: ratio - 0.02, high: ratio + 0.02 }, p: 0.002, p_adjusted: ratio === null ? null : 0.008, family: 4, verdict: ratio === null ? null : "worse", sentence: "", server: null, missing,
});
const disagreement = (outcome: Disagreement["outcome"], sentence: string): Disagreement => ({
  outcome, sentence, hosts: ["bench-1", "bench-2"], family: 2, p_adjusted: 0.001, apart: ["bench-1", "bench-2"], ratio: 0.8, interval: { low: 0.7, high: 0.9 },
  q: 21.4, df: 1, i_squared: 0.95, spread: 0.15, spread_interval: { low: 0.05, high: 0.25 },
});
const member = (host: string, place: number) => ({ host, run_id: `run_${place + 1}`, state: "done" as const, started_at: AT, seed: 1, rounds: 10, color: place, shape: place, trust: null, infeasible: [] });

export const HOSTS_RESULT: HostsResult = {
  schema_version: 1, group_id: "grp_1", experiment_id: "exp_1", name: "n", title: "Two hosts", ended: true, margin: 0.05, headline: "Hosts disagree about 1 of 2 cells.",
  notices: ["The hosts differ in kernel."], members: [member("bench-1", 0), member("bench-2", 1)],
  differences: [
    { key: "kernel", values: ["6.1", "6.18"], relevance: "relevant", remark: "the kernel forwards the packets" },
    { key: "memory", values: ["8 GiB", null], relevance: "minor", remark: "not known of bench-2" },
  ],
  metrics: ["tps", "cpu_us_per_txn"], method: ["paired by round", "every two hosts"],
  table: {
    metric: "tps", label: "transactions per second", unit: "1/s", better: "higher", decimals: 0, headline: "Hosts disagree about 1 of 2 cells.", family: 4,
    rows: [
      { cell_id: "c1", label: "same_container", levels: {}, is_baseline: true, figures: [figure("bench-1", null), figure("bench-2", null)], disagreement: null },
      { cell_id: "c2", label: "published", levels: {}, is_baseline: false, figures: [figure("bench-1", 0.9), figure("bench-2", 0.72)], disagreement: disagreement("disagree", "Hosts disagree: by much.") },
      { cell_id: "c3", label: "macvlan", levels: {}, is_baseline: false, figures: [figure("bench-1", 0.97), figure("bench-2", null, "no macvlan in the kernel")], disagreement: { ...disagreement("cannot_tell", "Cannot tell whether hosts disagree."), q: null, df: null } },
    ],
  },
};

export const RUN_GROUP: RunGroup = {
  id: "grp_1", experiment_id: "exp_1", name: "n", title: "Two hosts", host_label: null, state: "running", seed: 7, created_at: AT, finished_at: null,
  members: [
    { host: "bench-1", run_id: "run_1", state: "done", started_at: AT, finished_at: AT, cancel_requested: false, progress: PROGRESS, current: null, infeasible_cells: 0 },
    { host: "bench-2", run_id: "run_2", state: "running", started_at: AT, finished_at: null, cancel_requested: false, progress: { ...PROGRESS, done: 3, eta_s: 90 }, current: null, infeasible_cells: 1 },
    { host: "gone", run_id: null, state: "deleted", started_at: null, finished_at: null, cancel_requested: false, progress: null, current: null, infeasible_cells: 0 },
  ],
};

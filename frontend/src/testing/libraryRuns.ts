/** Runs of the library for tests. */
import type { LibraryRun, RunVerdict } from "@/api/generated";

export const VERDICT: RunVerdict = {
  kind: "worse",
  metric: "tps",
  metric_label: "Throughput",
  better: "higher",
  margin: 0.05,
  counts: { better: 0, worse: 1, equivalent: 2, undecided: 0, failed: 0, infeasible: 0 },
  baseline: "bridge_ip",
  largest: { cell_id: "c2", label: "published_loopback, userland-proxy on", path: "published_loopback", path_title: "Published port on 127.0.0.1", verdict: "worse", ratio: 0.617, low: 0.598, high: 0.634 },
  compared: 3,
  cells: [{ cell_id: "c2", label: "published_loopback, userland-proxy on", path: "published_loopback", path_title: "Published port on 127.0.0.1", verdict: "worse", ratio: 0.617, low: 0.598, high: 0.634 }],
  threshold: null,
  suspect: false,
  answered: true,
};

/** Returns an ended run of the library; a higher number is newer. */
export function libraryRun(number: number, changes: Partial<LibraryRun> = {}): LibraryRun {
  return {
    id: `run_${number}`,
    experiment_id: "exp_1",
    name: "pachot-2019",
    title: `Run ${number}`,
    host: "bench-1",
    origin: "measured",
    state: "done",
    created_at: "2026-11-20T10:00:00.000Z",
    finished_at: "2026-11-20T10:15:00.000Z",
    group_id: null,
    author: "Ada",
    tags: [],
    note: "",
    starred: false,
    archived: false,
    verdict: VERDICT,
    verdict_due: false,
    exclusions: [],
    ...changes,
  };
}

/** Hosts for tests. */
import type { Host, HostDetail, HostNoise } from "@/api/generated";

/** The noise of a host that has measured nothing. */
export function noiseOf(changes: Partial<HostNoise> = {}): HostNoise {
  const share = { count: 0, n: 0, interval: null };
  return {
    score: { spread: null, interval: null, pairs: 0, runs: 0, sentence: "Too few: no A/A pair with a proven path was measured here." },
    loads: [], repeated: share, contaminated: share, gave_up: share, waited_s: null, steal: null, until: null, ...changes,
  };
}

export const HOST: Host = { id: "hst_1", name: "bench-1", online: true, last_seen_at: "2026-11-20T12:00:00Z", capabilities: { memory_mb: 8000, reasons: {} }, cannot: [], environment: {} };

/** A host without anything in its queue. */
export function hostDetail(changes: Partial<HostDetail> = {}): HostDetail {
  return { ...HOST, queue: { queued_trials: 0, running_trials: 0, runs: [], other_runs: 0 }, current: null, noise: noiseOf(), ...changes };
}

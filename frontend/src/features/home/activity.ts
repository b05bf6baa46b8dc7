/** Arranges what runs and waits by host. Pure. */
import type { HomeHost, Run } from "@/api/generated";

/** Returns the open runs of each host: running ones first, then in the order in which they were queued. */
export function byHost(active: readonly Run[]): Map<string, Run[]> {
  const rank = (run: Run) => Number(run.state !== "running");
  return Map.groupBy([...active].sort((a, b) => rank(a) - rank(b)), ({ host }) => host);
}

/** Returns the seconds until a run of the list can begin, by the time left of those before it; null where one of these is not known. */
export function waitOf(runs: readonly Run[], index: number): number | null {
  const before = runs.slice(0, index).map(({ progress }) => progress.eta_s);
  return before.some((seconds) => seconds === null) ? null : before.reduce<number>((sum, seconds) => sum + (seconds ?? 0), 0);
}

/** Returns how many open trials of a host belong to other teams. */
export function othersTrials({ queued_trials, running_trials }: HomeHost, own: readonly Run[]): number {
  const open = own.map(({ progress: { total, done, failed, cancelled, skipped } }) => total - done - failed - cancelled - skipped);
  return Math.max(0, queued_trials + running_trials - open.reduce((sum, trials) => sum + trials, 0));
}

/** Arranges what runs and waits. Pure. */
import type { ActiveRun, HomeHost, Run } from "@/api/generated";

/** Returns the runs that are shown: running ones first, then in the order of their start. */
export function firstRuns(active: readonly ActiveRun[], most: number): ActiveRun[] {
  const rank = (run: Run) => Number(run.state !== "running");
  return [...active].sort((a, b) => rank(a) - rank(b)).slice(0, most);
}

/** Returns how many open trials of a host belong to other teams. */
export function othersTrials(
  { name, queued_trials, running_trials }: HomeHost,
  active: readonly Run[],
): number {
  const own = active.filter(({ host }) => host === name).reduce((sum, run) => sum + openOf(run), 0);
  return Math.max(0, queued_trials + running_trials - own);
}

function openOf({ progress: { total, done, failed, cancelled, skipped } }: Run): number {
  return total - done - failed - cancelled - skipped;
}

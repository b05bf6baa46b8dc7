/** Which states of runs, trials and cells are final, and which have figures. */
import type { ChartCell, Run, Summary } from "./generated";
import type { RunState, TrialState, VerdictKind } from "./types";

const TERMINAL: ReadonlySet<string> = new Set<RunState>(["done", "cancelled", "incomplete"]);
const OPEN: ReadonlySet<TrialState> = new Set(["queued", "running"]);
const WITH_FIGURES: ReadonlySet<ChartCell["state"]> = new Set(["measured", "partial"]);
const DIFFERENCES: ReadonlySet<VerdictKind> = new Set(["better", "worse", "different_within_margin"]);

/** Whether a run in this state is final. */
export function isTerminal(state: string): boolean {
  return TERMINAL.has(state);
}

/** Whether a trial in this state has not ended yet. */
export function isOpen(state: TrialState): boolean {
  return OPEN.has(state);
}

/** The number of trials of a run that have ended, in any state. */
export function endedTrials({ done, failed, cancelled, skipped }: Run["progress"]): number {
  return done + failed + cancelled + skipped;
}

/** Whether the cell's figures may be drawn: not those of a failed or unproven path. */
export function hasFigures(cell: Pick<ChartCell, "state">): boolean {
  return WITH_FIGURES.has(cell.state);
}

/** The summary of one metric, where the cell has figures that may be drawn. */
export function summaryOf(cell: ChartCell, metric: string): Summary | null {
  const summary = cell.summaries[metric];
  return summary && summary.n > 0 && hasFigures(cell) ? summary : null;
}

/** Whether the verdict states a difference. Verdicts are corrected for all comparisons; a single interval is not. */
export function isDifference(verdict: VerdictKind): boolean {
  return DIFFERENCES.has(verdict);
}

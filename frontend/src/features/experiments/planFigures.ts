/** The figures of a plan that the bar shows: formatted, never computed from samples. Pure. */
import { draftOf } from "@/api/draft";
import type { PlanPreview } from "@/api/generated";
import { formatDuration } from "@/components/format";

export interface PlanFigures {
  /** Cells that can run, without duplicates. */
  cells: number;
  /** Cells that cannot run on the host. */
  infeasible: number;
  /** The expected time: a range where decided cells may end earlier. */
  fastest: number | null;
  seconds: number;
  /** With waits, repeated trials and make-up rounds; null where these add nothing. */
  worst: number | null;
  smallestEffect: number | null;
}

/** Returns the figures of a plan. */
export function planFigures({ plan, experiment, resolution }: PlanPreview): PlanFigures {
  const infeasible = plan.cells.filter((cell) => cell.infeasible !== null && !cell.is_duplicate).length;
  const own = plan.cells.filter((cell) => !cell.is_duplicate).length;
  const { estimate, interim_rounds: interim = [], make_up: makeUp } = plan;
  const first = (estimate.preparation_seconds ?? 0) + draftOf(experiment).rounds * (estimate.round_seconds ?? 0);
  const worst = estimate.seconds + (estimate.noisy_seconds ?? 0) + (makeUp?.seconds ?? 0);
  return {
    cells: own - infeasible,
    infeasible,
    fastest: interim.length > 1 && first > 0 && first < estimate.seconds ? first : null,
    seconds: estimate.seconds,
    worst: worst > estimate.seconds ? worst : null,
    smallestEffect: resolution?.smallest_effect ?? null,
  };
}

/** Formats a time to the minute, where it is longer than two: "8 min". */
export function formatAbout(seconds: number): string {
  return formatDuration(seconds < 120 ? seconds : 60 * Math.round(seconds / 60));
}

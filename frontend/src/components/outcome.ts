/** The four verdict words of a comparison, and its change as one figure. */
import type { Comparison } from "@/api/generated";
import { formatDifference, formatEnd } from "./effect";
import { formatNumber, formatSigned } from "./format";
import { OUTCOMES, type Outcome } from "./stateLabels";

export { OUTCOMES, type Outcome };

const OUTCOME_OF: Record<Comparison["verdict"], Outcome> = {
  better: "better",
  worse: "worse",
  different_within_margin: "equal",
  equivalent: "equal",
  no_difference_shown: "no_answer",
  not_enough_rounds: "no_answer",
  undefined: "no_answer",
};

export function outcomeOf({ verdict }: Pick<Comparison, "verdict">): Outcome {
  return OUTCOME_OF[verdict];
}

/** A ratio as a change: "−56 %"; from 2 on as a multiple, "2.8×". */
export function changeOfRatio(ratio: number): string {
  if (ratio >= 2) return `${formatNumber(ratio, ratio < 10 ? 1 : 0)}×`;
  const change = 100 * (ratio - 1);
  return `${formatSigned(change, Math.abs(change) < 10 ? 1 : 0)}\u00a0%`;
}

type Compared = Pick<Comparison, "ratio" | "interval" | "difference">;

/** The change of a comparison: "−56 %", or a difference where a value is zero; empty where there is none. */
export function changeOf({ ratio, difference }: Pick<Compared, "ratio" | "difference">): string {
  if (difference) return formatDifference(difference);
  return ratio === null ? "" : changeOfRatio(ratio);
}

/** The ends of the change's interval; null where there is none. */
export function changeEnds({ interval, difference }: Pick<Compared, "interval" | "difference">): { low: string; high: string } | null {
  if (difference) return difference.interval && { low: formatEnd(difference, difference.interval.low), high: formatEnd(difference, difference.interval.high) };
  return interval && { low: changeOfRatio(interval.low), high: changeOfRatio(interval.high) };
}

/** The figure of an answer: what a card and a row print of a run's verdict. Pure. */
import type { HomeRun, RunVerdict, VerdictCell } from "@/api/generated";
import { cellTitle } from "@/components/cellName";
import { formatChange } from "@/components/effect";
import { formatDifference, formatEnd } from "@/components/effect";
import { formatPercent, keepPercent } from "@/components/format";
import { noAnswerReason, outcomeOf } from "@/components/runOutcome";
import { RUN_STATES } from "@/components/stateLabels";
import { messages } from "@/messages";

const t = messages("home");

export interface AnswerFigure {
  /** "−56 %", "12×", "+1,096 segments". */
  change: string;
  /** Its interval, "−68.1 % to −44.2 %"; empty where there is none. */
  interval: string;
  /** The cell that it is of. */
  cell: string;
  baseline: string;
}

/** Returns the cell of an answer: that of the largest clear difference, or the first equal one. */
export function cellOf({ largest, cells }: RunVerdict): VerdictCell | null {
  return largest ?? cells[0] ?? null;
}

/** Returns the figure of a run's verdict; null where there is no answer. */
export function figureOf(verdict: RunVerdict): AnswerFigure | null {
  const cell = cellOf(verdict);
  const outcome = outcomeOf(verdict);
  if (outcome === "no_answer" || cell === null) return null;
  const baseline = verdict.baseline ?? "";
  if (outcome === "equal") {
    const within = t("withinMargin", { margin: formatPercent(verdict.margin) });
    const count = verdict.compared;
    return { change: keepPercent(within), interval: "", cell: t("everyCell", { count }), baseline };
  }
  const [change, interval] = cell.difference ? differenceOf(cell) : ratioOf(cell);
  return { change, interval, cell: cellTitle(cell), baseline };
}

function ratioOf({ ratio, low, high }: VerdictCell): [string, string] {
  if (ratio === null) return ["–", ""];
  const range = low !== null && high !== null;
  const interval = range ? t("range", { low: formatChange(low), high: formatChange(high) }) : "";
  return [keepPercent(shortChange(ratio)), keepPercent(interval)];
}

function differenceOf({ difference }: VerdictCell): [string, string] {
  if (!difference) return ["–", ""];
  const { interval } = difference;
  const ends = interval && [interval.low, interval.high].map((end) => formatEnd(difference, end));
  const range = ends ? t("range", { low: ends[0] ?? "", high: ends[1] ?? "" }) : "";
  return [formatDifference(difference), range];
}

/** Returns why a run has no answer, with its state where it did not end as planned. */
export function reasonOf({ verdict, verdict_due: due, state }: HomeRun): string {
  const none = t(due ? "verdictDue" : "verdictNone");
  const reason = verdict ? noAnswerReason(verdict) : none;
  return state === "done" ? reason : t("stateAndReason", { state: RUN_STATES[state].word, reason });
}

/** Returns a change without decimals from 10 % on: "−56 %", "−4.2 %", "12×". */
export function shortChange(ratio: number): string {
  const change = 100 * (ratio - 1);
  if (ratio >= 10 || Math.abs(change) < 9.5) return formatChange(ratio);
  return `${change < 0 ? "−" : "+"}${Math.abs(change).toFixed(0)} %`;
}

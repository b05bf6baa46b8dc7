/** The answer to the question of an experiment: what the server says, or what its headline and verdicts say. Pure. */
import type { Answer, ChartCell, ChartModel, Comparison } from "@/api/generated";
import { hasFigures } from "@/api/states";
import { keepPercent, sentenceCase } from "@/components/format";
import { metricLabel } from "@/components/metricLabels";
import { outcomeOf, type Outcome } from "@/components/outcome";
import { serverText } from "@/components/serverText";
import { withoutRemark } from "@/components/withoutRemark";

export type { Answer };

/** Returns the answer of a result. A result of an earlier release has none: it is then made from its headline. */
export function answerOf(model: ChartModel): Answer {
  return model.answer ?? answerOfHeadline(model);
}

/** The intervals that a headline has in brackets, in either language. */
const INTERVALS = / ?[(（][^()（）]*95 %[^()（）]*[)）]/g;

/** Returns a sentence without its intervals: they are behind it. */
export function withoutIntervals(sentence: string): string {
  return sentence.replaceAll(INTERVALS, "");
}

/** Returns the sentence of the answer as the page shows it: without intervals, and without the remark on trust that is below it. */
export function answerSentence(model: ChartModel): string {
  const { sentence, message } = answerOf(model);
  const trust = model.trust == null ? null : serverText(model.trust, model.trust_message);
  return withCapital(model, keepPercent(withoutIntervals(withoutRemark(serverText(sentence, message), trust))));
}

/** A sentence may begin with the name of a metric; the name of a program stays as it is written. */
function withCapital({ axes }: ChartModel, sentence: string): string {
  return axes.some((axis) => sentence.startsWith(metricLabel(axis))) ? sentenceCase(sentence) : sentence;
}

function answerOfHeadline(model: ChartModel): Answer {
  const metric = model.axes[0]?.metric ?? "";
  const found = largest(model.cells, metric);
  const shown = found && outcomeOf(found.comparison);
  const { better, worse, equivalent, undecided } = model.counts;
  const onlyEqual = equivalent > 0 && undecided === 0 && better + worse === 0;
  return {
    question: "baseline",
    factor: null,
    metric,
    outcome: shown ?? (onlyEqual ? "equal" : "no_answer"),
    sentence: model.headline,
    message: model.headline_message ?? null,
    detail: null,
    detail_message: null,
    cell_id: found?.cell.id ?? null,
  };
}

const CLEAR: ReadonlySet<Outcome> = new Set(["worse", "better"]);

interface Found {
  cell: ChartCell;
  comparison: Comparison;
}

/** Returns the largest difference that is shown; null where none is. */
function largest(cells: readonly ChartCell[], metric: string): Found | null {
  const found = cells.flatMap((cell): Found[] => {
    const comparison = cell.is_duplicate || !hasFigures(cell) ? undefined : cell.comparisons[metric];
    return comparison && CLEAR.has(outcomeOf(comparison)) ? [{ cell, comparison }] : [];
  });
  // A difference is from or to zero, and so beyond every ratio.
  const size = ({ comparison: { ratio, difference } }: Found) => (difference ? 1e3 : Math.abs(Math.log(ratio || 1)));
  return found.reduce<Found | null>((most, each) => (most === null || size(each) > size(most) ? each : most), null);
}

/** Returns the cell of the answer with the comparison that it quotes; null where it quotes none. */
export function quotedBy(model: ChartModel, { cell_id: id, metric }: Answer): Found | null {
  const cell = model.cells.find((each) => each.id === id);
  const comparison = cell?.comparisons[metric];
  return cell && comparison ? { cell, comparison } : null;
}

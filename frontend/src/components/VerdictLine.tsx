import type { RunVerdict } from "@/api/generated";
import { messages } from "@/messages";
import { cellTitle } from "./cellName";
import { formatChange, formatDifference, formatEnd } from "./effect";
import { formatNumber, formatPercent, keepPercent } from "./format";
import { noAnswerReason, outcomeOf } from "./runOutcome";
import { serverText } from "./serverText";
import { State } from "./State";
import { OUTCOMES, type StateLabel } from "./stateLabels";
import styles from "./VerdictLine.module.css";

const t = messages("library");

/** A run's verdict in one sentence, and how many comparisons came out how. */
export function VerdictLine({ verdict }: { verdict: RunVerdict }) {
  const name = verdict.largest?.path;
  return (
    <div className={styles.verdict}>
      <p className={styles.line}>
        {keepPercent(sentence(verdict))}
        {name && verdict.largest?.path_title && name !== verdict.largest.path_title && <> <code>{name}</code></>}
      </p>
      <p className={styles.counts}>
        {countsOf(verdict).map((label) => (
          <State key={label.word} label={label} />
        ))}
      </p>
    </div>
  );
}

/** The verdict as a sentence; of a run without an answer, why it has none. */
function sentence(verdict: RunVerdict): string {
  const { largest, baseline, metric_label: metric, margin, compared } = verdict;
  const { reason, reason_message } = verdict;
  if (outcomeOf(verdict) === "no_answer") {
    const line = t("lineNoAnswer", { metric, reason: noAnswerReason(verdict) });
    return reason ? t("lineBecause", { line, reason: serverText(reason, reason_message) }) : line;
  }
  if (largest?.difference && baseline !== null) {
    const { difference } = largest;
    const change = formatDifference(difference);
    const values = { cell: cellTitle(largest), change, baseline, metric };
    if (!difference.interval) return t("lineLargest", values);
    const [low, high] = [difference.interval.low, difference.interval.high];
    const ends = { low: formatEnd(difference, low), high: formatEnd(difference, high) };
    return t("lineLargestInterval", { ...values, ...ends });
  }
  if (largest?.ratio != null && baseline !== null) {
    const values = { cell: cellTitle(largest), change: formatChange(largest.ratio), baseline, metric };
    return largest.low === null || largest.high === null ? t("lineLargest", values) : t("lineLargestInterval", { ...values, low: formatChange(largest.low), high: formatChange(largest.high) });
  }
  return t("lineEqual", { count: compared, margin: formatPercent(margin), metric });
}

/** The numbers of comparisons that came out better, worse, and so on; without those that are 0. */
function countsOf({ counts, threshold, suspect }: RunVerdict): StateLabel[] {
  const all: [number, StateLabel][] = [
    counted(counts.better, OUTCOMES.better),
    counted(counts.worse, OUTCOMES.worse),
    counted(counts.equivalent, OUTCOMES.equal),
    counted(counts.undecided, OUTCOMES.no_answer),
    [counts.failed, { glyph: "✕", word: t("countFailed", { count: counts.failed }), tone: "bad" }],
    [Number(threshold === "fail"), { glyph: "✕", word: t("thresholdFailed"), tone: "bad" }],
    [Number(suspect), { glyph: "!", word: t("suspect"), tone: "warn" }],
  ];
  return all.flatMap(([number, label]) => (number > 0 ? [label] : []));
}

function counted(count: number, { glyph, word, tone }: StateLabel): [number, StateLabel] {
  return [count, { glyph, word: t("countOf", { n: formatNumber(count), word }), tone }];
}

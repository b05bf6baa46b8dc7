import type { RunVerdict } from "@/api/generated";
import { messages } from "@/messages";
import { cellTitle } from "./cellName";
import { formatChange, formatDifference, formatEnd } from "./effect";
import { formatNumber, formatPercent, keepPercent } from "./format";
import { serverText } from "./serverText";
import { State } from "./State";
import type { StateLabel } from "./stateLabels";
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
        {counted(verdict).map((label) => (
          <State key={label.word} label={label} />
        ))}
      </p>
    </div>
  );
}

/** The verdict as a sentence. Comparisons without a ratio count in none of its numbers; its end counts them. */
function sentence(verdict: RunVerdict): string {
  const { kind, largest, baseline, metric_label: metric, margin, compared, without_ratio: lost = 0, reason, reason_message } = verdict;
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
  const because = (line: string) => (reason ? t("lineBecause", { line, reason: serverText(reason, reason_message) }) : line);
  if (kind === "no_comparison" || kind === "failed") {
    if (compared > 0) return because(t("lineNothing", { metric }));
    return kind === "failed" ? t("lineFailed") : t("lineNoComparison", { metric });
  }
  const count = compared - lost;
  const line = kind === "equivalent" ? t("lineEquivalent", { count, margin: formatPercent(margin), metric }) : t("lineUndecided", { count, metric });
  return lost > 0 ? because(t("lineLost", { line, lost: formatNumber(lost), of: formatNumber(compared) })) : line;
}

/** The numbers of comparisons that came out better, worse, and so on; without those that are 0. */
function counted({ counts, threshold, suspect }: RunVerdict): StateLabel[] {
  const all: [number, StateLabel][] = [
    [counts.better, { glyph: "▲", word: t("countBetter", { count: counts.better }), tone: "good" }],
    [counts.worse, { glyph: "▼", word: t("countWorse", { count: counts.worse }), tone: "bad" }],
    [counts.equivalent, { glyph: "≈", word: t("countEquivalent", { count: counts.equivalent }), tone: "info" }],
    [counts.undecided, { glyph: "~", word: t("countUnclear", { count: counts.undecided }), tone: "quiet" }],
    [counts.failed, { glyph: "✕", word: t("countFailed", { count: counts.failed }), tone: "bad" }],
    [Number(threshold === "fail"), { glyph: "✕", word: t("thresholdFailed"), tone: "bad" }],
    [Number(suspect), { glyph: "!", word: t("suspect"), tone: "warn" }],
  ];
  return all.flatMap(([number, label]) => (number > 0 ? [label] : []));
}

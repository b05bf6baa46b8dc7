import type { RunVerdict } from "@/api/generated";
import { messages } from "@/messages";
import { cellTitle, formatChange } from "./cellName";
import { formatPercent } from "./format";
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
        {sentence(verdict)}
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

/** The verdict as a sentence. */
function sentence(verdict: RunVerdict): string {
  const { kind, largest, baseline, metric_label: metric, margin, compared } = verdict;
  if (largest?.ratio != null && baseline !== null) {
    const values = { cell: cellTitle(largest), change: formatChange(largest.ratio), baseline, metric };
    return largest.low === null || largest.high === null ? t("lineLargest", values) : t("lineLargestInterval", { ...values, low: formatChange(largest.low), high: formatChange(largest.high) });
  }
  if (kind === "equivalent") return t("lineEquivalent", { count: compared, margin: formatPercent(margin), metric });
  if (kind === "no_comparison") return t("lineNoComparison", { metric });
  return kind === "failed" ? t("lineFailed") : t("lineUndecided", { count: compared, metric });
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

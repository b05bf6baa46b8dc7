/** Ratios of the cells of run B to run A, with the margin as a band around 1; differences where a value is zero. Pure. */
import type { RunComparison, RunComparisonRow, RunComparisonTable } from "@/api/generated";
import { formatEffect, formatEffectInterval } from "@/components/effect";
import { formatP } from "@/components/format";
import { VERDICTS } from "@/components/stateLabels";
import { messages } from "@/messages";
import { effectPanels, type EffectMark, type EffectPanel } from "./effectPanels";

const t = messages("charts");

const ROW = 24;
const MOST = 150;

interface RatioLayout {
  panels: EffectPanel[];
  /** The number of rows that are not drawn, because there are too many. */
  hidden: number;
}

export function ratioLayout({ rows: all }: RunComparisonTable, margin: number, basis: RunComparison["basis"] = "values"): RatioLayout {
  const compared = all.flatMap((row, index) => (row.ratio === null && !row.difference ? [] : [{ ...row, key: `${index} ${row.label}` }]));
  const shown = compared.slice(0, MOST).map((row) => ({ key: row.key, label: row.label, marks: [markOf(row, basis)] }));
  return { panels: effectPanels(shown, ROW, margin), hidden: compared.length - shown.length };
}

function markOf(row: RunComparisonRow & { key: string }, basis: RunComparison["basis"]): EffectMark {
  const { key, label, ratio, interval, difference, p_adjusted, n, verdict } = row;
  const apart = t(basis === "ratios" ? "differenceOfOwn" : "differenceBA");
  return {
    key,
    below: ROW / 2,
    ratio,
    interval,
    difference,
    color: 0,
    shape: 0,
    title: label,
    lines: [
      [difference ? apart : t("ratioBA"), formatEffect(row)],
      [t("interval95"), formatEffectInterval(row)],
      [t("adjustedP"), formatP(p_adjusted)],
      [t("n"), String(n)],
      ...(verdict ? [[t("verdictLow"), VERDICTS[verdict].word] as const] : []),
    ],
  };
}

export function ratioSentence({ label, rows }: RunComparisonTable): string {
  const parts = rows.map((row) => `${row.label}: ${row.ratio === null && !row.difference ? t("noRatio") : `${formatEffect(row)} (${formatEffectInterval(row)})`}`);
  return t("ratioSentence", { label, parts: parts.join("; ") });
}

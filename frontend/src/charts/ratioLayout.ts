/** Ratios of the cells of run B to run A, with the margin as a band around 1. Pure. */
import type { RunComparisonTable } from "@/api/generated";
import { formatInterval, formatP, formatRatio } from "@/components/format";
import { VERDICTS } from "@/components/stateLabels";
import { messages } from "@/messages";
import { errorOf, extent, niceDomain, type IntervalMark, type IntervalRow } from "./intervalLayout";

const t = messages("charts");

const ROW = 24;
const MOST = 150;

interface RatioLayout {
  height: number;
  rows: IntervalRow[];
  marks: IntervalMark[];
  domain: [number, number];
  band: [number, number];
  /** The number of rows that are not drawn, because there are too many. */
  hidden: number;
}

/** Returns the ratios that are equivalent; symmetric for swapping A and B. */
export function marginBand(margin: number): [number, number] {
  return [1 / (1 + margin), 1 + margin];
}

export function ratioLayout({ rows: all }: RunComparisonTable, margin: number): RatioLayout {
  const compared = all.flatMap((row, index) => (row.ratio === null ? [] : [{ ...row, ratio: row.ratio, key: `${index} ${row.label}` }]));
  const shown = compared.slice(0, MOST).map((row, index) => ({ ...row, row: index, y: (index + 0.5) * ROW }));
  const band = marginBand(margin);
  const domain = niceDomain([...extent(shown.map(({ ratio, interval }) => ({ value: ratio, interval }))), ...band], 1);
  return {
    height: Math.max(1, shown.length) * ROW,
    rows: shown.map(({ key, label, row, y }) => ({ key, label, y, top: row * ROW })),
    marks: shown.map(({ key, row, label, y, ratio, interval, p_adjusted, n, verdict }) => ({
      key,
      row,
      x: ratio,
      y,
      error: errorOf(ratio, interval, domain),
      color: 0,
      shape: 0,
      title: label,
      lines: [
        [t("ratioBA"), formatRatio(ratio)],
        [t("interval95"), formatInterval(interval, 3)],
        [t("adjustedP"), formatP(p_adjusted)],
        [t("n"), String(n)],
        ...(verdict ? [[t("verdictLow"), VERDICTS[verdict].word] as const] : []),
      ],
    })),
    domain,
    band,
    hidden: compared.length - shown.length,
  };
}

export function ratioSentence({ label, rows }: RunComparisonTable): string {
  const parts = rows.map((row) => `${row.label}: ${row.ratio === null ? t("noRatio") : `${formatRatio(row.ratio)} (${formatInterval(row.interval, 3)})`}`);
  return t("ratioSentence", { label, parts: parts.join("; ") });
}

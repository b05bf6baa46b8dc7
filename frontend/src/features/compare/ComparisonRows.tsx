import { useState } from "react";
import type { RunComparisonCell, RunComparisonRow, RunComparisonTable } from "@/api/generated";
import type { VerdictKind } from "@/api/types";
import { formatEffect, formatEffectInterval } from "@/components/effect";
import { formatInterval, formatNumber, formatP } from "@/components/format";
import { ShowMore } from "@/components/ShowMore";
import { State } from "@/components/State";
import { VERDICTS } from "@/components/stateLabels";
import table from "@/components/table.module.css";
import { messages } from "@/messages";
import styles from "./ComparePage.module.css";

interface Props {
  cross: RunComparisonTable;
  /** Whether to show each side's ratio to its own baseline in place of its value. */
  ratios: boolean;
}

const t = messages("compare");
const charts = messages("charts");
const ROWS = 150;

/** A table of all cells of both runs: medians, ratio and verdict. */
export function ComparisonRows({ cross, ratios }: Props) {
  const [most, setMost] = useState(ROWS);
  const family = Math.max(1, ...cross.rows.map((row) => row.family ?? 1));
  const interval = family > 1 ? t("ciRows", { count: family }) : t("ci");
  const unit = ratios ? t("ownBaseline") : cross.unit;
  return (
    <>
      <table className={`${table.table} ${table.fold} ${table.tiles}`}>
        <caption className="visually-hidden">{t("bothRuns", { metric: cross.label })}</caption>
        <thead>
          <tr>
            <th scope="col">{t("cell")}</th>
            <th scope="col" className={table.num}>{t("sideUnit", { side: "A", unit })}</th>
            <th scope="col" className={table.num}>{t("sideUnit", { side: "B", unit })}</th>
            <th scope="col" className={table.num}>{cross.run_spread?.percent === null ? t("ratioHeadWithin", { interval }) : t("ratioHead", { interval })}</th>
            <th scope="col" className={table.num}>{t("adjustedPHead")}</th>
            <th scope="col" className={table.num}>{t("nHead")}</th>
            <th scope="col">{t("verdict")}</th>
          </tr>
        </thead>
        <tbody>
          {cross.rows.slice(0, most).map((row, index) => (
            <Row key={`${index} ${row.label}`} row={row} decimals={cross.decimals} ratios={ratios} />
          ))}
        </tbody>
      </table>
      <ShowMore shown={most} all={cross.rows.length} step={ROWS} item="cell" onMore={() => setMost(most + ROWS)} />
    </>
  );
}

function Row({ row, decimals, ratios }: { row: RunComparisonRow; decimals: number; ratios: boolean }) {
  return (
    <tr>
      <th scope="row">
        {row.label}
        {row.is_baseline && <span className={table.quiet}> {t("baseline")}</span>}
      </th>
      <SideCell label="A" cell={row.a} decimals={decimals} ratios={ratios} />
      <SideCell label="B" cell={row.b} decimals={decimals} ratios={ratios} />
      <td data-label={row.difference ? charts("differenceBA") : t("ratioBA")} className={table.num}>
        <b>{formatEffect(row)}</b>
        <small className={styles.small}>{formatEffectInterval(row)}</small>
        {row.interval_unadjusted && (
          <details className={styles.small}>
            <summary>{t("unadjustedInterval")}</summary>
            {t("unadjustedOf", { interval: formatInterval(row.interval_unadjusted, 3) })}
          </details>
        )}
      </td>
      <td data-label={t("adjustedPHead")} className={table.num}>
        {formatP(row.p_adjusted)}
        <small className={styles.small}>{row.p === null ? "" : t("unadjusted", { p: formatP(row.p) })}</small>
      </td>
      <td data-label={t("nHead")} className={table.num}>{row.n > 0 ? row.n : "–"}</td>
      <td data-wide title={row.method ? `${row.method}, n = ${row.n}` : undefined}>
        {row.verdict ? (
          <State label={VERDICTS[row.verdict]}>{verdictText(row.verdict, row.sentence)}</State>
        ) : (
          <span className={table.quiet}>{row.sentence}</span>
        )}
      </td>
    </tr>
  );
}

/** The sentence of a verdict; one of a change says the word of its outcome first. */
function verdictText(verdict: VerdictKind, sentence: string): string {
  if (verdict !== "better" && verdict !== "worse") return sentence;
  return t("outcomeAndSentence", { outcome: VERDICTS[verdict].word, sentence });
}

function SideCell({ label, cell, decimals, ratios }: { label: string; cell: RunComparisonCell | null; decimals: number; ratios: boolean }) {
  const [value, interval] = ratios ? [cell?.ratio, cell?.ratio_interval] : [cell?.median, cell?.interval];
  const apart = ratios && cell?.difference ? { ratio: null, interval: null, difference: cell.difference } : null;
  return (
    <td data-label={label} className={table.num}>
      {cell === null ? <span className={table.quiet}>{t("notInThisRun")}</span> : apart ? formatEffect(apart) : formatNumber(value, ratios ? 3 : decimals)}
      <small className={styles.small}>{apart ? formatEffectInterval(apart) : interval ? formatInterval(interval, ratios ? 3 : decimals) : ""}</small>
    </td>
  );
}

import { useState } from "react";
import type { RunComparisonCell, RunComparisonRow, RunComparisonTable } from "@/api/generated";
import { formatInterval, formatNumber, formatP, formatRatio } from "@/components/format";
import { intervalName } from "@/components/intervals";
import { ShowMore } from "@/components/ShowMore";
import { State } from "@/components/State";
import { VERDICTS } from "@/components/stateLabels";
import table from "@/components/table.module.css";
import styles from "./ComparePage.module.css";

interface Props {
  cross: RunComparisonTable;
  /** Whether to show each side's ratio to its own baseline in place of its value. */
  ratios: boolean;
}

const ROWS = 150;

/** A table of all cells of both runs: medians, ratio and verdict. */
export function ComparisonRows({ cross, ratios }: Props) {
  const [most, setMost] = useState(ROWS);
  const interval = intervalName(Math.max(1, ...cross.rows.map((row) => row.family ?? 1)), false, "rows") + (cross.run_spread?.percent === null ? ", within the two runs" : "");
  const unit = ratios ? "× own baseline" : cross.unit;
  return (
    <>
      <table className={`${table.table} ${table.fold} ${table.tiles}`}>
        <caption className="visually-hidden">{cross.label}, both runs</caption>
        <thead>
          <tr>
            <th scope="col">Cell</th>
            <th scope="col" className={table.num}>A ({unit})</th>
            <th scope="col" className={table.num}>B ({unit})</th>
            <th scope="col" className={table.num}>Ratio B ÷ A, {interval}</th>
            <th scope="col" className={table.num}>adjusted p</th>
            <th scope="col" className={table.num}>n</th>
            <th scope="col">Verdict</th>
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
        {row.is_baseline && <span className={table.quiet}> baseline</span>}
      </th>
      <SideCell label="A" cell={row.a} decimals={decimals} ratios={ratios} />
      <SideCell label="B" cell={row.b} decimals={decimals} ratios={ratios} />
      <td data-label="ratio B ÷ A" className={table.num}>
        <b>{formatRatio(row.ratio)}</b>
        <small className={styles.small}>{row.interval ? formatInterval(row.interval, 3) : ""}</small>
        {row.interval_unadjusted && (
          <details className={styles.small}>
            <summary>unadjusted interval</summary>
            {formatInterval(row.interval_unadjusted, 3)}, of this row alone, within the two runs
          </details>
        )}
      </td>
      <td data-label="adjusted p" className={table.num}>
        {formatP(row.p_adjusted)}
        <small className={styles.small}>{row.p === null ? "" : `unadjusted ${formatP(row.p)}`}</small>
      </td>
      <td data-label="n" className={table.num}>{row.n > 0 ? row.n : "–"}</td>
      <td data-wide title={row.method ? `${row.method}, n = ${row.n}` : undefined}>
        {row.verdict ? <State label={VERDICTS[row.verdict]}>{row.sentence}</State> : <span className={table.quiet}>{row.sentence}</span>}
      </td>
    </tr>
  );
}

function SideCell({ label, cell, decimals, ratios }: { label: string; cell: RunComparisonCell | null; decimals: number; ratios: boolean }) {
  const [value, interval] = ratios ? [cell?.ratio, cell?.ratio_interval] : [cell?.median, cell?.interval];
  return (
    <td data-label={label} className={table.num}>
      {cell === null ? <span className={table.quiet}>not in this run</span> : formatNumber(value, ratios ? 3 : decimals)}
      <small className={styles.small}>{interval ? formatInterval(interval, ratios ? 3 : decimals) : ""}</small>
    </td>
  );
}

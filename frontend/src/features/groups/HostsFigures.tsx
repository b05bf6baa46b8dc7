import { useState } from "react";
import type { Disagreement, HostFigure, HostsRow, HostsTable } from "@/api/generated";
import { formatInterval, formatNumber, formatP, formatPercent, formatRatio } from "@/components/format";
import { intervalName } from "@/components/intervals";
import { ShowMore } from "@/components/ShowMore";
import { State } from "@/components/State";
import { BASELINE, DISAGREEMENTS } from "@/components/stateLabels";
import table from "@/components/table.module.css";
import styles from "./GroupPage.module.css";

const ROWS = 60;

/** The figures of all cells on all hosts: values, ratios to the own baseline, and whether hosts disagree. */
export function HostsFigures({ figures }: { figures: HostsTable }) {
  const [most, setMost] = useState(ROWS);
  return (
    <>
      <table className={`${table.table} ${table.fold} ${table.tiles}`}>
        <caption className="visually-hidden">{figures.label} on each host</caption>
        <thead>
          <tr>
            <th scope="col">Cell and host</th>
            <th scope="col" className={table.num}>Median ({figures.unit})</th>
            <th scope="col" className={table.num}>Ratio to its own baseline, {intervalName(figures.family, false)}</th>
            <th scope="col" className={table.num}>adjusted p</th>
            <th scope="col" className={table.num}>n</th>
          </tr>
        </thead>
        {figures.rows.slice(0, most).map((row) => (
          <CellRows key={row.cell_id} row={row} decimals={figures.decimals} />
        ))}
      </table>
      <ShowMore shown={most} all={figures.rows.length} step={ROWS} item="cell" onMore={() => setMost(most + ROWS)} />
    </>
  );
}

function CellRows({ row, decimals }: { row: HostsRow; decimals: number }) {
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={5} className={styles.cell}>
          <span>{row.label}</span> {row.is_baseline && <State label={BASELINE} />}
          {row.disagreement && <Judgement found={row.disagreement} />}
        </th>
      </tr>
      {row.figures.map((figure) => (
        <FigureRow key={figure.host} figure={figure} decimals={decimals} />
      ))}
    </tbody>
  );
}

function Judgement({ found }: { found: Disagreement }) {
  return (
    <div className={styles.judgement}>
      <State label={DISAGREEMENTS[found.outcome]}>{found.sentence}</State>
      {typeof found.q === "number" && (
        <details>
          <summary>Heterogeneity</summary>
          adjusted p {formatP(found.p_adjusted)} of {found.family} pairs of hosts; spread between these hosts {formatPercent(found.spread)}
          {found.spread_interval && ` (${formatPercent(found.spread_interval.low)} to ${formatPercent(found.spread_interval.high)})`}; Cochran’s Q {formatNumber(found.q, 1)} with {found.df} degrees of
          freedom, I² {formatPercent(found.i_squared)}, which decide nothing
        </details>
      )}
    </div>
  );
}

function FigureRow({ figure, decimals }: { figure: HostFigure; decimals: number }) {
  return (
    <tr>
      <th scope="row" className={styles.host}>{figure.host}</th>
      {figure.missing === null ? (
        <>
          <td data-label="median" className={table.num}>
            {formatNumber(figure.median, decimals)}
            <small className={styles.small}>{figure.median_interval ? formatInterval(figure.median_interval, decimals) : ""}</small>
          </td>
          <td data-label="ratio" className={table.num}>
            <b>{figure.ratio === null ? "–" : formatRatio(figure.ratio)}</b>
            <small className={styles.small}>{figure.interval ? formatInterval(figure.interval, 3) : figure.ratio === null ? "" : figure.sentence}</small>
          </td>
          <td data-label="adjusted p" className={table.num}>{formatP(figure.p_adjusted)}</td>
          <td data-label="n" className={table.num}>{figure.n}</td>
        </>
      ) : (
        <td colSpan={4} data-label="no figures" data-wide>{figure.missing}</td>
      )}
    </tr>
  );
}

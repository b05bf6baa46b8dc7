import { useState } from "react";
import type { Disagreement, HostFigure, HostsRow, HostsTable } from "@/api/generated";
import { formatEffect, formatEffectInterval } from "@/components/effect";
import { formatInterval, formatNumber, formatP, formatPercent } from "@/components/format";
import { ShowMore } from "@/components/ShowMore";
import { State } from "@/components/State";
import { BASELINE, DISAGREEMENTS } from "@/components/stateLabels";
import table from "@/components/table.module.css";
import { messages } from "@/messages";
import styles from "./GroupPage.module.css";

const t = messages("groups");

const ROWS = 60;

/** The figures of all cells on all hosts: values, ratios to the own baseline, and whether hosts disagree. */
export function HostsFigures({ figures }: { figures: HostsTable }) {
  const [most, setMost] = useState(ROWS);
  return (
    <>
      <table className={`${table.table} ${table.fold} ${table.tiles}`}>
        <caption className="visually-hidden">{t("onEachHost", { metric: figures.label })}</caption>
        <thead>
          <tr>
            <th scope="col">{t("cellAndHost")}</th>
            <th scope="col" className={table.num}>{t("median", { unit: figures.unit })}</th>
            <th scope="col" className={table.num}>{figures.family > 1 ? t("ratioFamily", { count: figures.family }) : t("ratioAlone")}</th>
            <th scope="col" className={table.num}>{t("adjustedP")}</th>
            <th scope="col" className={table.num}>{t("n")}</th>
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
          <summary>{t("heterogeneity")}</summary>
          {heterogeneity(found)}
        </details>
      )}
    </div>
  );
}

function heterogeneity(found: Disagreement): string {
  const values = { p: formatP(found.p_adjusted), family: found.family, spread: formatPercent(found.spread), q: formatNumber(found.q, 1), df: found.df ?? 0, i: formatPercent(found.i_squared) };
  const { spread_interval: ends } = found;
  return ends ? t("heterogeneityBetween", { ...values, low: formatPercent(ends.low), high: formatPercent(ends.high) }) : t("heterogeneityText", values);
}

function FigureRow({ figure, decimals }: { figure: HostFigure; decimals: number }) {
  return (
    <tr>
      <th scope="row" className={styles.host}>{figure.host}</th>
      {figure.missing === null ? (
        <>
          <td data-label={t("medianLabel")} className={table.num}>
            {formatNumber(figure.median, decimals)}
            <small className={styles.small}>{figure.median_interval ? formatInterval(figure.median_interval, decimals) : ""}</small>
          </td>
          <td data-label={t("ratioLabel")} className={table.num}>
            <b>{formatEffect(figure)}</b>
            <small className={styles.small}>{formatEffectInterval(figure) || (figure.ratio === null && !figure.difference ? "" : figure.sentence)}</small>
          </td>
          <td data-label={t("adjustedP")} className={table.num}>{formatP(figure.p_adjusted)}</td>
          <td data-label={t("n")} className={table.num}>{figure.n}</td>
        </>
      ) : (
        <td colSpan={4} data-label={t("noFigures")} data-wide>{figure.missing}</td>
      )}
    </tr>
  );
}

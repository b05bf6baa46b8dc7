import type { Axis, ChartCell, ChartModel } from "@/api/generated";
import { summaryOf } from "@/api/states";
import { formatInterval, formatNumber } from "@/components/format";
import { metricLabel } from "@/components/metricLabels";
import { State } from "@/components/State";
import { withoutFigure } from "@/components/stateLabels";
import table from "@/components/table.module.css";
import { messages } from "@/messages";
import { replicates } from "./dotLayout";

const t = messages("charts");

/** The figures of the dot plot as a table: every replicate of every cell. */
export function DotTable({ cells, axis, origin }: { cells: readonly ChartCell[]; axis: Axis; origin: ChartModel["origin"] }) {
  return (
    <table className={`${table.table} ${table.fold}`}>
      <caption className="visually-hidden">
        {t("dotTable", { label: metricLabel(axis), unit: axis.unit })}
      </caption>
      <thead>
        <tr>
          <th scope="col">{t("cell")}</th>
          <th scope="col" className={table.num}>{t("n")}</th>
          <th scope="col" className={table.num}>{t("medianUnit", { unit: axis.unit })}</th>
          <th scope="col" className={table.num}>{t("interval95")}</th>
          <th scope="col">{t("byRoundUnit", { unit: axis.unit })}</th>
        </tr>
      </thead>
      <tbody>
        {cells.map((cell) => {
          const summary = summaryOf(cell, axis.metric);
          return (
            <tr key={cell.id}>
              <th scope="row">{cell.label}</th>
              {summary ? (
                <>
                  <td data-label={t("n")} className={table.num}>{summary.n}</td>
                  <td data-label={t("medianLow")} className={table.num}>{formatNumber(summary.median, axis.decimals)}</td>
                  <td data-label={t("interval95")} className={table.num}>{formatInterval(summary.interval, axis.decimals)}</td>
                  <td data-label={t("byRound")} className={table.quiet}>
                    {replicates(cell, summary)
                      .map(({ value, used, unsteady }) => formatNumber(value, axis.decimals) + (used ? "" : "*") + (unsteady ? "†" : ""))
                      .join("  ")}
                  </td>
                </>
              ) : (
                <td colSpan={4}>
                  <State label={withoutFigure(cell, origin)} />
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

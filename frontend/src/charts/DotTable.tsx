import type { Axis, ChartCell, ChartModel } from "@/api/generated";
import { summaryOf } from "@/api/states";
import { formatInterval, formatNumber } from "@/components/format";
import { State } from "@/components/State";
import { withoutFigure } from "@/components/stateLabels";
import table from "@/components/table.module.css";
import { replicates } from "./dotLayout";

/** The figures of the dot plot as a table: every replicate of every cell. */
export function DotTable({ cells, axis, origin }: { cells: readonly ChartCell[]; axis: Axis; origin: ChartModel["origin"] }) {
  return (
    <table className={`${table.table} ${table.fold}`}>
      <caption className="visually-hidden">
        {axis.label} in {axis.unit}, by cell
      </caption>
      <thead>
        <tr>
          <th scope="col">Cell</th>
          <th scope="col" className={table.num}>n</th>
          <th scope="col" className={table.num}>Median ({axis.unit})</th>
          <th scope="col" className={table.num}>95 % interval</th>
          <th scope="col">By round ({axis.unit}); * excluded, † unsteady</th>
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
                  <td data-label="n" className={table.num}>{summary.n}</td>
                  <td data-label="median" className={table.num}>{formatNumber(summary.median, axis.decimals)}</td>
                  <td data-label="95 % interval" className={table.num}>{formatInterval(summary.interval, axis.decimals)}</td>
                  <td data-label="by round" className={table.quiet}>
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

import type { ChartCell, ChartModel } from "@/api/generated";
import { summaryOf } from "@/api/states";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatInterval, formatNumber, formatP, formatRatio } from "@/components/format";
import { intervalName } from "@/components/intervals";
import { State } from "@/components/State";
import { VERDICTS } from "@/components/stateLabels";
import table from "@/components/table.module.css";
import { serverText } from "@/components/serverText";

/** The figures of a cell by metric. */
export function CellFigures({ model, cell }: { model: ChartModel; cell: ChartCell }) {
  const rows = model.axes.flatMap((axis) => {
    const summary = summaryOf(cell, axis.metric);
    return summary ? [{ axis, summary, comparison: cell.comparisons[axis.metric] }] : [];
  });
  if (rows.length === 0) return null;
  const families = new Set(rows.flatMap(({ comparison }) => comparison?.family ?? []));
  const name = intervalName(Math.max(1, ...families), model.interim_analyses !== null);
  return (
    <Card title="Figures" flush>
      <DataTable label="Figures by metric" columns={[["Metric"], ["n", "num"], ["Median", "num"], ["95 % interval", "num"], ["Ratio to baseline", "num"], [name, "num"], ["adjusted p", "num"], ["Verdict"]]} tiles>
        {rows.map(({ axis, summary, comparison }) => (
          <tr key={axis.metric}>
            <th scope="row">{axis.label}</th>
            <td data-label="n" className={table.num}>{summary.n}</td>
            <td data-label="median" className={table.num}>{formatNumber(summary.median, axis.decimals)} {axis.unit}</td>
            <td data-label="95 % interval" className={table.num}>{formatInterval(summary.interval, axis.decimals)}</td>
            <td data-label="ratio to baseline" className={table.num}>{formatRatio(comparison?.ratio)}</td>
            <td data-label={name} className={table.num}>
              {formatInterval(comparison?.interval, 3)}
              {comparison?.interval_unadjusted && (
                <details className={table.quiet}>
                  <summary>unadjusted interval</summary>
                  {formatInterval(comparison.interval_unadjusted, 3)}, of this comparison alone
                </details>
              )}
            </td>
            <td data-label="adjusted p" className={table.num}>{formatP(comparison?.p_adjusted)}</td>
            <td data-wide>{comparison ? <State label={VERDICTS[comparison.verdict]}>{serverText(comparison.sentence, comparison.message)}</State> : <span className={table.quiet}>baseline</span>}</td>
          </tr>
        ))}
      </DataTable>
    </Card>
  );
}

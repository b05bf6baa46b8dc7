import type { ChartCell, ChartModel } from "@/api/generated";
import { summaryOf } from "@/api/states";
import { Card } from "@/components/Card";
import { formatInterval, formatNumber, formatP, formatRatio } from "@/components/format";
import { intervalName } from "@/components/intervals";
import { State } from "@/components/State";
import { VERDICTS } from "@/components/stateLabels";
import table from "@/components/table.module.css";
import { TableScroll } from "@/components/TableScroll";

/** A cell's figures, metric by metric. */
export function CellFigures({ model, cell }: { model: ChartModel; cell: ChartCell }) {
  const rows = model.axes.flatMap((axis) => {
    const summary = summaryOf(cell, axis.metric);
    return summary ? [{ axis, summary, comparison: cell.comparisons[axis.metric] }] : [];
  });
  if (rows.length === 0) return null;
  const families = new Set(rows.flatMap(({ comparison }) => comparison?.family ?? []));
  const name = intervalName(Math.max(1, ...families), model.looks !== null);
  return (
    <Card title="Figures" flush>
      <TableScroll label="Figures by metric" folding>
        <table className={`${table.table} ${table.fold} ${table.tiles}`}>
          <thead>
            <tr>
              <th scope="col">Metric</th>
              <th scope="col" className={table.num}>n</th>
              <th scope="col" className={table.num}>Median</th>
              <th scope="col" className={table.num}>95 % interval</th>
              <th scope="col" className={table.num}>Ratio to baseline</th>
              <th scope="col" className={table.num}>{name}</th>
              <th scope="col" className={table.num}>adjusted p</th>
              <th scope="col">Verdict</th>
            </tr>
          </thead>
          <tbody>
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
                <td data-wide>{comparison ? <State label={VERDICTS[comparison.verdict]}>{comparison.sentence}</State> : <span className={table.quiet}>baseline</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </Card>
  );
}

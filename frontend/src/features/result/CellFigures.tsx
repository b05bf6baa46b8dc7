import type { ChartCell, ChartModel } from "@/api/generated";
import { summaryOf } from "@/api/states";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatEffect, formatEffectInterval } from "@/components/effect";
import { formatInterval, formatNumber, formatP } from "@/components/format";
import { metricLabel } from "@/components/metricLabels";
import { intervalName } from "@/components/intervals";
import { State } from "@/components/State";
import { VERDICTS } from "@/components/stateLabels";
import table from "@/components/table.module.css";
import { serverText } from "@/components/serverText";
import { messages } from "@/messages";

const t = messages("result");

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
    <Card title={t("figures")} flush>
      <DataTable label={t("figuresByMetric")} columns={[[t("metric")], [t("n"), "num"], [t("median"), "num"], [t("interval95"), "num"], [t("ratioToBaseline"), "num"], [name, "num"], [t("adjustedP"), "num"], [t("verdict")]]} tiles>
        {rows.map(({ axis, summary, comparison }) => (
          <tr key={axis.metric}>
            <th scope="row">{metricLabel(axis)}</th>
            <td data-label={t("n")} className={table.num}>{summary.n}</td>
            <td data-label={t("medianLow")} className={table.num}>{formatNumber(summary.median, axis.decimals)} {axis.unit}</td>
            <td data-label={t("interval95")} className={table.num}>{formatInterval(summary.interval, axis.decimals)}</td>
            <td data-label={t("ratioToBaselineLow")} className={table.num}>{formatEffect(comparison)}</td>
            <td data-label={name} className={table.num}>
              {formatEffectInterval(comparison) || "–"}
              {comparison?.interval_unadjusted && (
                <details className={table.quiet}>
                  <summary>{t("unadjustedInterval")}</summary>
                  {t("unadjustedAlone", { interval: formatInterval(comparison.interval_unadjusted, 3) })}
                </details>
              )}
            </td>
            <td data-label={t("adjustedP")} className={table.num}>{formatP(comparison?.p_adjusted)}</td>
            <td data-wide>{comparison ? <State label={VERDICTS[comparison.verdict]}>{serverText(comparison.sentence, comparison.message)}</State> : <span className={table.quiet}>{t("baseline")}</span>}</td>
          </tr>
        ))}
      </DataTable>
    </Card>
  );
}

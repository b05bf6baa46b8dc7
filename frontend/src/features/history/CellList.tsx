import { HistoryLine } from "@/charts/HistoryLine";
import { timesOf } from "@/charts/historyLayout";
import type { History, PointMetric } from "@/api/generated";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatDifference } from "@/components/effect";
import { formatNumber } from "@/components/format";
import table from "@/components/table.module.css";
import { messages } from "@/messages";
import { percentOf, type CellHistory } from "./changes";
import styles from "./history.module.css";
import { day } from "./texts";

const t = messages("history");

interface Props {
  history: History;
  cells: readonly CellHistory[];
  metric: PointMetric;
  chosen: string;
  onChoose: (cellId: string) => void;
}

/** Every cell as a small line over time, with its last figure and last change. */
export function CellList({ history, cells, metric, chosen, onChoose }: Props) {
  const times = timesOf(history.runs);
  const marks = history.runs.flatMap((run, index) => (run.environment_changes.length > 0 ? [index] : []));
  return (
    <Card title={t("cells")} note={t("cellsNote")} flush>
      <DataTable label={t("cells")} columns={[[t("cell")], [t("overTime")], [t("latest"), "num"], [t("change")]]}>
        {cells.map(({ cell, series, changes }) => {
          const last = series.points.at(-1);
          const change = changes.at(-1);
          return (
            <tr key={cell.id}>
              <th scope="row">
                <button type="button" className={styles.choose} aria-pressed={cell.id === chosen} onClick={() => onChoose(cell.id)}>{cell.label}</button>
                {cell.is_baseline && <span> ({t("baseline")})</span>}
              </th>
              <td data-label={t("overTime")}><HistoryLine points={series.points} times={times} changes={changes} marks={marks} width={160} height={36} /></td>
              <td data-label={t("latest")} className={table.num}>{last ? `${formatNumber(last.value, series.basis === "ratios" ? 3 : metric.decimals)} ${series.basis === "ratios" ? "×" : metric.unit}` : t("noFigure")}</td>
              <td data-label={t("change")}>
                {change === undefined ? ofDifference(history, cell.id, series.metric) : `${change.direction === "better" ? "▲" : "▼"} ${change.ratio > 1 ? "+" : "−"}${formatNumber(Math.abs(percentOf(change.ratio)), 1)} % · ${day(change.until_time)} · ${t(change.direction)}`}
              </td>
            </tr>
          );
        })}
      </DataTable>
    </Card>
  );
}

/** The newest change of a series in which a value is zero, which has no ratio; "none" without one. */
function ofDifference({ differences = [] }: History, cellId: string, metric: string): string {
  const change = differences.findLast((one) => one.cell_id === cellId && one.metric === metric);
  if (!change) return t("none");
  return `${change.direction === "better" ? "▲" : "▼"} ${formatDifference(change.difference)} · ${day(change.until_time)} · ${t(change.direction)}`;
}

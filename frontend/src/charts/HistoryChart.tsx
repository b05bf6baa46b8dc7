import { CartesianGrid, ErrorBar, Line, LineChart, ReferenceArea, ReferenceLine, Tooltip, XAxis, YAxis } from "recharts";
import { Link, useNavigate } from "react-router";
import type { History, HistoryChange, HistorySeries, PointMetric } from "@/api/generated";
import { formatInterval, formatNumber, formatTime } from "@/components/format";
import table from "@/components/table.module.css";
import { messages } from "@/messages";
import { AXIS_LINE, AXIS_TICK, GRID } from "./axes";
import { ChartFrame } from "./ChartFrame";
import styles from "./HistoryChart.module.css";
import { timeAxis, timesOf, valueRange } from "./historyLayout";
import { niceTicks, tickDecimals } from "./ticks";
import { Tip } from "./Tip";

const t = messages("history");
const MARGIN = { top: 14, right: 16, bottom: 0, left: 0 };
const HEIGHT = 260;
const LEFT = 64;

interface Props {
  title: string;
  history: History;
  series: HistorySeries;
  metric: PointMetric;
  changes: readonly HistoryChange[];
  sentence: string;
}

interface Drawn {
  run: number;
  time: number;
  value: number;
  error: [number, number] | undefined;
}

/** One cell over time with intervals, environment changes and change points; as a table too. */
export function HistoryChart({ title, history, series, metric, changes, sentence }: Props) {
  const navigate = useNavigate();
  const open = (run: number) => void navigate(`/runs/${history.runs[run]?.run_id}`);
  const times = timesOf(history.runs);
  const decimals = series.basis === "ratios" ? 3 : metric.decimals;
  const unit = series.basis === "ratios" ? "×" : metric.unit;
  const drawn: Drawn[] = series.points.flatMap((point, run) =>
    point
      ? [{ run, time: times[run] ?? 0, value: point.value, error: point.interval ? [point.value - point.interval.low, point.interval.high - point.value] : undefined }]
      : [],
  );
  const axis = timeAxis(times);
  const figure = (run: number) => {
    const point = series.points[run];
    if (!point) return t("noFigure");
    return `${formatNumber(point.value, decimals)} ${unit}`;
  };
  return (
    <ChartFrame
      title={title}
      note={axis.zone ? `${t("chartNote")} ${t("timesOfDay", { day: axis.day, zone: axis.zone })}` : t("chartNote")}
      sentence={sentence}
      chart={(width) => {
        const domain = valueRange(series.points);
        const ticks = niceTicks(domain, 5);
        return (
          <LineChart width={width} height={HEIGHT} margin={MARGIN} data={drawn} accessibilityLayer={false}>
            <CartesianGrid vertical={false} {...GRID} />
            <XAxis type="number" dataKey="time" domain={[times[0] ?? 0, times.at(-1) ?? 1]} tickFormatter={axis.tick} tick={AXIS_TICK} axisLine={AXIS_LINE} tickLine={AXIS_LINE} tickCount={width > 560 ? 7 : 3} padding={{ left: 12, right: 12 }} />
            <YAxis type="number" domain={domain} ticks={ticks} tickFormatter={(value: number) => formatNumber(value, tickDecimals(ticks))} tick={AXIS_TICK} axisLine={false} tickLine={false} width={LEFT} />
            {changes.map((change) => (
              <ReferenceArea key={change.at} x1={times[Math.max(0, change.first - 1)] ?? 0} x2={times[change.last] ?? 0} fill="var(--warn-soft)" fillOpacity={0.8} />
            ))}
            {history.runs.map((run, index) => run.environment_changes.length > 0 && <ReferenceLine key={run.run_id} x={times[index] ?? 0} stroke="var(--ink-3)" strokeDasharray="2 3" label={{ value: "◆", position: "top", fill: "var(--ink-3)", fontSize: 11 }} />)}
            <Line dataKey="value" type="linear" stroke="var(--series-0)" strokeWidth={1.75} dot={{ r: 3.5, fill: "var(--series-0)" }} activeDot={({ cx, cy, payload }) => <circle className={styles.point} cx={cx} cy={cy} r={6} onClick={() => open((payload as Drawn).run)} />} isAnimationActive={false}>
              <ErrorBar dataKey="error" width={4} stroke="var(--series-0)" strokeWidth={1.25} isAnimationActive={false} />
            </Line>
            <Tooltip isAnimationActive={false} cursor={{ stroke: "var(--line-strong)" }} content={({ payload }) => {
              const found = (payload?.[0] as { payload?: Drawn } | undefined)?.payload;
              const run = found && history.runs[found.run];
              if (!found || !run) return null;
              const interval = series.points[found.run]?.interval;
              return <Tip title={formatTime(run.started_at)} lines={[[metric.label, figure(found.run)], [t("interval"), interval ? formatInterval(interval, decimals) : t("noInterval")], ...run.environment_changes.map((one) => [one.key, `${one.before ?? "–"} → ${one.after ?? "–"}`] as const)]} />;
            }} />
          </LineChart>
        );
      }}
      table={
        <table className={`${table.table} ${table.fold}`}>
          <thead><tr><th scope="col">{t("run")}</th><th scope="col" className={table.num}>{metric.label} ({unit})</th><th scope="col" className={table.num}>{t("interval")}</th><th scope="col">{t("environment")}</th></tr></thead>
          <tbody>
            {history.runs.map((run, index) => {
              const point = series.points[index];
              return (
                <tr key={run.run_id}>
                  <th scope="row"><Link to={`/runs/${run.run_id}`}>{formatTime(run.started_at)}</Link></th>
                  <td className={table.num} data-label={metric.label}>{point ? formatNumber(point.value, decimals) : t("noFigure")}</td>
                  <td className={table.num} data-label={t("interval")}>{point?.interval ? formatInterval(point.interval, decimals) : t("noInterval")}</td>
                  <td data-label={t("environment")}>{run.environment_changes.map((one) => `${one.key}: ${one.before ?? "–"} → ${one.after ?? "–"}`).join("; ") || "–"}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      }
    />
  );
}

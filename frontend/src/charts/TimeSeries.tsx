import { useId } from "react";
import { Area, AreaChart, CartesianGrid, Line, LineChart, ReferenceLine, Tooltip, XAxis, YAxis } from "recharts";
import type { ImageHref } from "@/api/exports";
import type { CpuPoint, SecondPoint } from "@/api/generated";
import { formatNumber, sentenceCase } from "@/components/format";
import type { Rate } from "@/components/rates";
import table from "@/components/table.module.css";
import { messages } from "@/messages";
import { ChartFrame } from "./ChartFrame";
import { Legend } from "./Legend";
import { AXIS_LINE, AXIS_TICK, GRID } from "./axes";
import { axisEnd } from "./roleLayout";
import { roleName } from "./roleNames";
import { RoleLegend, RolePatterns, rolePaint } from "./RolePaint";
import { cpuSamples, fromZero, rateSamples, seriesRoles, stackedMaximum } from "./seriesLayout";
import { niceTicks, tickDecimals } from "./ticks";
import { Tip } from "./Tip";

const t = messages("charts");

const MARGIN = { top: 6, right: 12, bottom: 0, left: 0 };
const HEIGHT = 210;
const LEFT = 56;

function timeAxis(seconds: number, width: number) {
  const ticks = niceTicks([0, seconds], width > 560 ? 8 : 4);
  return (
    <XAxis
      type="number"
      dataKey="t"
      domain={[0, seconds]}
      ticks={ticks}
      tickFormatter={(value: number) => `${formatNumber(value, tickDecimals(ticks))} s`}
      tick={AXIS_TICK}
      axisLine={AXIS_LINE}
      tickLine={AXIS_LINE}
    />
  );
}

function valueAxis(top: number) {
  const ticks = niceTicks([0, top], 4);
  return (
    <YAxis
      type="number"
      domain={[0, top]}
      ticks={ticks}
      tickFormatter={(value: number) => formatNumber(value, tickDecimals(ticks))}
      tick={AXIS_TICK}
      axisLine={false}
      tickLine={false}
      width={LEFT}
    />
  );
}

/** The moment of the mark that the keyboard is on. */
function activeLine(active: string | null) {
  return active !== null && <ReferenceLine x={Number(active)} stroke="var(--focus)" strokeWidth={2} ifOverflow="visible" />;
}

/** The rate that the tool reported for each second. */
export function RateSeries({ points, seconds, rate, image }: { points: readonly SecondPoint[]; seconds: number; rate: Rate; image?: ImageHref | undefined }) {
  const samples = rateSamples(points);
  const most = samples.reduce((max, point) => Math.max(max, point.rate), 0);
  const title = sentenceCase(rate.label);
  const figure = (value: number | undefined) => formatNumber(value, rate.decimals);
  const latency = points.some((point) => point.latency_ms !== null);
  return (
    <ChartFrame
      title={title}
      note={t("rateNote", { unit: rate.unit })}
      sentence={t("rateSentence", { title, seconds: formatNumber(seconds, 1), unit: rate.unit, figures: samples.map((point) => figure(point.rate)).join(", ") })}
      marks={samples.map((point) => ({ key: String(point.t), group: "", text: `${formatNumber(point.t, 1)} s: ${figure(point.rate)} ${rate.unit}` }))}
      legend={<Legend items={[{ key: "rate", label: rate.short, sample: <path d="M2 7H20" stroke="var(--series-0)" strokeWidth={2} /> }]} />}
      chart={(width, active) => (
        <LineChart width={width} height={HEIGHT} margin={MARGIN} data={samples} syncId="trial" syncMethod="value" accessibilityLayer={false}>
          <CartesianGrid vertical={false} {...GRID} />
          {timeAxis(seconds, width)}
          {valueAxis(axisEnd(most))}
          {activeLine(active)}
          <Line dataKey="rate" type="linear" stroke="var(--series-0)" strokeWidth={1.75} dot={{ r: 2.5, fill: "var(--series-0)" }} isAnimationActive={false} />
          <Tooltip isAnimationActive={false} cursor={{ stroke: "var(--line-strong)" }} content={({ payload }) => {
            const point = (payload?.[0] as { payload?: { t: number; rate: number } } | undefined)?.payload;
            return point ? <Tip title={`${formatNumber(point.t, 1)} s`} lines={[[rate.short, `${figure(point.rate)} ${rate.unit}`]]} /> : null;
          }} />
        </LineChart>
      )}
      image={image}
      table={
        <table className={table.table}>
          <thead><tr><th scope="col">{t("second")}</th><th scope="col" className={table.num}>{rate.label} ({rate.unit})</th>{latency && <th scope="col" className={table.num}>{t("meanLatencyMs")}</th>}</tr></thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.t}><td>{formatNumber(point.t, 1)} s</td><td className={table.num}>{figure(point.rate)}</td>{latency && <td className={table.num}>{formatNumber(point.latency_ms, 3)}</td>}</tr>
            ))}
          </tbody>
        </table>
      }
    />
  );
}

/** CPU in cores by role, stacked, sampled several times per second. */
export function CpuSeries({ points, seconds, image }: { points: readonly CpuPoint[]; seconds: number; image?: ImageHref | undefined }) {
  const patterns = useId().replaceAll(/[^\w]/g, "");
  const samples = cpuSamples(points);
  const roles = seriesRoles(points);
  const top = axisEnd(stackedMaximum(samples));
  return (
    <ChartFrame
      title={t("cpuByRole")}
      note={t("cpuSeriesNote", { roles: roles.map(roleName).join(", ") })}
      sentence={t("cpuSeriesSentence", { seconds: formatNumber(seconds, 1), n: formatNumber(samples.length), most: formatNumber(stackedMaximum(samples), 2) })}
      marks={samples.map((sample) => ({ key: String(sample.t), group: String(Math.floor(sample.t)), text: t("markCpuSeries", { t: formatNumber(sample.t, 2), figures: roles.map((role) => `${roleName(role)} ${formatNumber(sample[role], 2)}`).join(", ") }) }))}
      legend={<RoleLegend roles={roles} />}
      chart={(width, active) => (
        <AreaChart width={width} height={HEIGHT} margin={MARGIN} data={fromZero(samples)} syncId="trial" syncMethod="value" accessibilityLayer={false}>
          <RolePatterns id={patterns} />
          <CartesianGrid vertical={false} {...GRID} />
          {timeAxis(seconds, width)}
          {valueAxis(top)}
          {roles.map((role) => (
            <Area key={role} dataKey={role} type="stepBefore" stackId="cpu" fill={rolePaint(role, patterns)} fillOpacity={0.9} stroke="none" isAnimationActive={false} activeDot={false} />
          ))}
          {activeLine(active)}
          <Tooltip isAnimationActive={false} cursor={{ stroke: "var(--line-strong)" }} content={({ payload }) => {
            const sample = (payload?.[0] as { payload?: Record<string, number> } | undefined)?.payload;
            if (!sample) return null;
            return <Tip title={`${formatNumber(sample["t"], 1)} s`} lines={roles.map((role) => [roleName(role), `${formatNumber(sample[role], 2)} ${t("coresLow")}`])} />;
          }} />
        </AreaChart>
      )}
      image={image}
      table={
        <table className={table.table}>
          <thead><tr><th scope="col">{t("tSeconds")}</th>{roles.map((role) => <th key={role} scope="col" className={table.num}>{t("roleCores", { role: roleName(role) })}</th>)}</tr></thead>
          <tbody>
            {samples.map((sample) => (
              <tr key={sample.t}><td>{formatNumber(sample.t, 2)}</td>{roles.map((role) => <td key={role} className={table.num}>{formatNumber(sample[role], 3)}</td>)}</tr>
            ))}
          </tbody>
        </table>
      }
    />
  );
}

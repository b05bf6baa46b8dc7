import { useId } from "react";
import { Area, AreaChart, CartesianGrid, Line, LineChart, Tooltip, XAxis, YAxis } from "recharts";
import type { CpuPoint, SecondPoint } from "@/api/types";
import { formatNumber } from "@/components/format";
import table from "@/components/table.module.css";
import { ChartFrame } from "./ChartFrame";
import { Legend } from "./Legend";
import { AXIS_LINE, AXIS_TICK, GRID } from "./parts";
import { roundUp } from "./roleLayout";
import { RoleLegend, RolePatterns, rolePaint } from "./RolePaint";
import { cpuSamples, fromZero, seriesRoles, stackedMaximum, tpsSamples } from "./seriesLayout";
import { niceTicks, tickDecimals } from "./ticks";
import { Tip } from "./Tip";

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

/** Transactions per second, as the tool reported them each second. */
export function TpsSeries({ points, seconds }: { points: readonly SecondPoint[]; seconds: number }) {
  const samples = tpsSamples(points);
  const top = roundUp(samples.reduce((max, { tps }) => Math.max(max, tps), 0));
  return (
    <ChartFrame
      title="Transactions per second"
      note="As the client reported it, second by second (1/s)"
      sentence={`Transactions per second over ${formatNumber(seconds, 1)} seconds: ${samples.map(({ tps }) => formatNumber(tps)).join(", ")}.`}
      legend={<Legend items={[{ key: "tps", label: "tps", sample: <path d="M2 7H20" stroke="var(--series-0)" strokeWidth={2} /> }]} />}
      chart={(width) => (
        <LineChart width={width} height={HEIGHT} margin={MARGIN} data={samples} syncId="trial" syncMethod="value" accessibilityLayer={false}>
          <CartesianGrid vertical={false} {...GRID} />
          {timeAxis(seconds, width)}
          {valueAxis(top)}
          <Line dataKey="tps" type="linear" stroke="var(--series-0)" strokeWidth={1.75} dot={{ r: 2.5, fill: "var(--series-0)" }} isAnimationActive={false} />
          <Tooltip isAnimationActive={false} cursor={{ stroke: "var(--line-strong)" }} content={({ payload }) => {
            const point = (payload?.[0] as { payload?: { t: number; tps: number } } | undefined)?.payload;
            return point ? <Tip title={`${formatNumber(point.t, 1)} s`} lines={[["tps", `${formatNumber(point.tps)} 1/s`]]} /> : null;
          }} />
        </LineChart>
      )}
      table={
        <table className={table.table}>
          <thead><tr><th scope="col">Second</th><th scope="col" className={table.num}>tps (1/s)</th><th scope="col" className={table.num}>mean latency (ms)</th></tr></thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.t}><td>{formatNumber(point.t, 1)} s</td><td className={table.num}>{formatNumber(point.tps)}</td><td className={table.num}>{formatNumber(point.latency_ms, 3)}</td></tr>
            ))}
          </tbody>
        </table>
      }
    />
  );
}

/** CPU in cores by role, ten times a second, stacked. */
export function CpuSeries({ points, seconds }: { points: readonly CpuPoint[]; seconds: number }) {
  const patterns = useId().replaceAll(/[^\w]/g, "");
  const samples = cpuSamples(points);
  const roles = seriesRoles(points);
  const top = roundUp(stackedMaximum(samples));
  return (
    <ChartFrame
      title="CPU by role"
      note={`Cores, sampled ten times a second: ${roles.join(", ")}.`}
      sentence={`CPU in cores by role over ${formatNumber(seconds, 1)} seconds, in ${samples.length} samples; at most ${formatNumber(stackedMaximum(samples), 2)} cores.`}
      legend={<RoleLegend roles={roles} />}
      chart={(width) => (
        <AreaChart width={width} height={HEIGHT} margin={MARGIN} data={fromZero(samples)} syncId="trial" syncMethod="value" accessibilityLayer={false}>
          <RolePatterns id={patterns} />
          <CartesianGrid vertical={false} {...GRID} />
          {timeAxis(seconds, width)}
          {valueAxis(top)}
          {roles.map((role) => (
            <Area key={role} dataKey={role} type="stepBefore" stackId="cpu" fill={rolePaint(role, patterns)} fillOpacity={0.9} stroke="none" isAnimationActive={false} activeDot={false} />
          ))}
          <Tooltip isAnimationActive={false} cursor={{ stroke: "var(--line-strong)" }} content={({ payload }) => {
            const sample = (payload?.[0] as { payload?: Record<string, number> } | undefined)?.payload;
            if (!sample) return null;
            return <Tip title={`${formatNumber(sample["t"], 1)} s`} lines={roles.map((role) => [role, `${formatNumber(sample[role], 2)} cores`])} />;
          }} />
        </AreaChart>
      )}
      table={
        <table className={table.table}>
          <thead><tr><th scope="col">t (s)</th>{roles.map((role) => <th key={role} scope="col" className={table.num}>{role} (cores)</th>)}</tr></thead>
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

import { CartesianGrid, ComposedChart, ErrorBar, Line, ReferenceArea, ReferenceLine, Scatter, Tooltip, XAxis, YAxis } from "recharts";
import { factName } from "@/components/factName";
import { formatInterval, formatNumber } from "@/components/format";
import { seriesColor, seriesShape } from "@/theme/palette";
import { messages } from "@/messages";
import type { KneeLayout, KneePoint } from "./kneeLayout";
import { AXIS_LINE, AXIS_TICK, GRID } from "./axes";
import { Symbol } from "./Symbol";
import { Tip } from "./Tip";

const t = messages("charts");

const HEIGHT = 220;

/** The chart of one sweep: the metric by load, the limit as a rule and the knee as a line with its interval as a band. */
export function KneeChart({ layout, factor, width }: { layout: KneeLayout; factor: string; width: number }) {
  const { points, axis, domain, ticks, limit, knee, color, shape } = layout;
  const last = Math.max(1, points.length - 1);
  const drawn = points.filter((point) => point.y !== null);
  return (
    <ComposedChart width={width} height={HEIGHT} margin={{ top: 6, right: 16, bottom: 12, left: 0 }} data={drawn} accessibilityLayer={false}>
      <CartesianGrid vertical={false} {...GRID} />
      {knee && knee.to > knee.from && <ReferenceArea x1={knee.from} x2={knee.to} fill="var(--accent)" fillOpacity={0.14} stroke="none" />}
      <XAxis
        type="number"
        dataKey="x"
        domain={[-0.3, last + 0.3]}
        ticks={points.map(({ x }) => x)}
        tickFormatter={(x: number) => formatNumber(points[x]?.level)}
        tick={AXIS_TICK}
        axisLine={AXIS_LINE}
        tickLine={AXIS_LINE}
        label={{ value: factName(factor), position: "insideBottom", offset: -8, fontSize: 12, fill: "var(--ink-3)" }}
      />
      <YAxis
        type="number"
        domain={domain}
        ticks={ticks.map(({ y }) => y)}
        tickFormatter={(y: number) => ticks.find((tick) => tick.y === y)?.label ?? ""}
        tick={AXIS_TICK}
        axisLine={false}
        tickLine={false}
        width={62}
      />
      {limit !== null && <ReferenceLine y={limit} stroke="var(--bad)" strokeDasharray="5 4" />}
      {knee && <ReferenceLine x={knee.x} stroke="var(--accent)" strokeWidth={2} />}
      <Line dataKey="y" type="linear" stroke={seriesColor(color)} strokeWidth={1.5} dot={false} activeDot={false} isAnimationActive={false} tooltipType="none" />
      <Scatter
        dataKey="y"
        isAnimationActive={false}
        shape={(point: { cx?: number; cy?: number }) => <Symbol shape={seriesShape(shape)} cx={point.cx ?? 0} cy={point.cy ?? 0} size={8} fill={seriesColor(color)} stroke="var(--surface)" />}
      >
        <ErrorBar dataKey="error" direction="y" width={4} strokeWidth={1.75} stroke="var(--ink)" isAnimationActive={false} />
      </Scatter>
      <Tooltip
        isAnimationActive={false}
        cursor={{ stroke: "var(--line-strong)" }}
        content={({ payload }) => {
          const point = (payload?.[0] as { payload?: KneePoint } | undefined)?.payload;
          if (!point) return null;
          const lines = [
            [axis.label, `${formatNumber(point.median, axis.decimals)} ${axis.unit}`],
            [t("interval95"), formatInterval(point.interval, axis.decimals)],
            [t("n"), String(point.n)],
          ] as const;
          return <Tip title={`${factName(factor)} ${formatNumber(point.level)}`} lines={lines} />;
        }}
      />
    </ComposedChart>
  );
}

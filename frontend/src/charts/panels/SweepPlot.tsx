import { CartesianGrid, Scatter, ScatterChart, Tooltip, usePlotArea, XAxis, YAxis } from "recharts";
import type { Axis, Sweep } from "@/api/generated";
import { formatInterval, formatNumber } from "@/components/format";
import { messages } from "@/messages";
import { seriesColor, seriesShape } from "@/theme/palette";
import { AXIS_LINE, AXIS_TICK, GRID } from "@/charts/axes";
import { fittedNames } from "@/charts/fittedNames";
import { PlotLines } from "@/charts/PlotLines";
import { Symbol } from "@/charts/Symbol";
import { niceTicks, tickDecimals } from "@/charts/ticks";
import { Tip } from "@/charts/Tip";
import { DIRECT, levelTexts, sweepLayout, type SweepLine, type SweepPoint } from "./sweepLayout";
import { charactersOf } from "@/charts/textWidth";

const t = messages("charts");
const HEIGHT = 190;
const BELOW = 34;
const LEFT = 64;
const NARROW = 620;

interface Props {
  sweep: Sweep;
  axis: Axis;
  series: number;
  width: number;
  /** The key of the mark that the keyboard is on. */
  active: string | null;
  onCell?: ((cellId: string) => void) | undefined;
}

/** One panel of a sweep: a line and intervals for each series over equally spaced levels. */
export function SweepPlot({ sweep, axis, series, width, active, onCell }: Props) {
  const { points, lines, domain } = sweepLayout(sweep, axis, series, HEIGHT);
  const labelled = lines.length <= DIRECT && width >= NARROW;
  const right = labelled ? Math.min(width * 0.3, 24 + 6.4 * Math.max(...lines.map(({ end }) => charactersOf(end?.label ?? "")), 4)) : 14;
  const ticks = niceTicks(domain, 4);
  const texts = levelTexts(sweep);
  return (
    <ScatterChart width={width} height={HEIGHT + BELOW} margin={{ top: 6, right, bottom: 4, left: 0 }} accessibilityLayer={false}>
      <CartesianGrid vertical={false} {...GRID} />
      <XAxis
        type="number"
        dataKey="x"
        domain={[-0.4, texts.length - 0.6]}
        ticks={texts.map((_, index) => index)}
        tickFormatter={(index: number) => texts[index] ?? ""}
        tick={AXIS_TICK}
        axisLine={AXIS_LINE}
        tickLine={AXIS_LINE}
        height={24}
        interval="preserveStartEnd"
      />
      <YAxis type="number" dataKey="y" domain={domain} ticks={ticks} tickFormatter={(value: number) => formatNumber(value, tickDecimals(ticks))} tick={AXIS_TICK} axisLine={false} tickLine={false} width={LEFT} />
      {lines.map((line) => (
        <PlotLines key={line.series} lines={line.segments} stroke={seriesColor(line.color)} strokeWidth={1.75} />
      ))}
      {lines.map((line) => (
        <PlotLines key={`whiskers ${line.series}`} lines={line.whiskers} stroke={seriesColor(line.color)} strokeWidth={1.25} />
      ))}
      <Scatter
        data={points}
        isAnimationActive={false}
        onClick={(dot: unknown) => onCell?.((dot as { payload: SweepPoint }).payload.cellId)}
        style={onCell && { cursor: "pointer" }}
        shape={(dot: { cx?: number; cy?: number; payload?: SweepPoint }) => (dot.payload ? <Dot cx={dot.cx ?? 0} cy={dot.cy ?? 0} point={dot.payload} isActive={dot.payload.key === active} /> : <g />)}
      />
      {labelled && <Labels lines={lines} room={right} />}
      <Tooltip
        cursor={false}
        isAnimationActive={false}
        content={({ payload }) => {
          const point = (payload?.[0] as { payload?: SweepPoint } | undefined)?.payload;
          if (!point) return null;
          const { median, interval, n } = point.figure;
          const lines = [
            [axis.label, `${formatNumber(median, axis.decimals)} ${axis.unit}`],
            [t("interval95"), formatInterval(interval, axis.decimals)],
            [t("n"), formatNumber(n)],
          ] as const;
          return <Tip title={t("atLevel", { series: point.label, factor: sweep.label, level: point.level })} lines={lines} />;
        }}
      />
    </ScatterChart>
  );
}

function Dot({ cx, cy, point, isActive }: { cx: number; cy: number; point: SweepPoint; isActive: boolean }) {
  return (
    <g>
      {isActive && <circle cx={cx} cy={cy} r={9} fill="none" stroke="var(--focus)" strokeWidth={2} />}
      <Symbol shape={seriesShape(point.shape)} cx={cx} cy={cy} size={8} fill={seriesColor(point.color)} stroke="var(--surface)" />
    </g>
  );
}

/** The names of the series at the ends of their lines. */
function Labels({ lines, room }: { lines: readonly SweepLine[]; room: number }) {
  const area = usePlotArea();
  if (!area) return null;
  const ends = lines.filter(({ end }) => end);
  const names = fittedNames(ends.map(({ end }) => end?.label ?? ""), room - 14);
  return (
    <g>
      {ends.map(({ series, color, end }, index) =>
        end && (
          <g key={series}>
            <title>{end.label}</title>
            <path d={`M${area.x + area.width + 3} ${area.y + end.labelY}h6`} stroke={seriesColor(color)} strokeWidth={2.5} />
            <text x={area.x + area.width + 12} y={area.y + end.labelY} dy="0.34em" fontSize={11.5} fill="var(--ink-2)">
              {names[index]}
            </text>
          </g>
        ),
      )}
    </g>
  );
}

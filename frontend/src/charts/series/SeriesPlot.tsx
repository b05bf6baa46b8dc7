import { CartesianGrid, Line, LineChart, Tooltip, usePlotArea, useXAxisScale, useYAxisScale, XAxis, YAxis } from "recharts";
import type { Axis } from "@/api/generated";
import { formatNumber } from "@/components/format";
import { messages } from "@/messages";
import { AXIS_LINE, AXIS_TICK, GRID } from "@/charts/axes";
import { niceTicks, tickDecimals } from "@/charts/ticks";
import { Tip } from "@/charts/Tip";
import type { SeriesLine, SeriesPoint } from "./seriesLayout";

const t = messages("charts");
const HEIGHT = 190;
const LEFT = 64;
const MARGIN = { top: 6, right: 14, bottom: 4, left: 0 };

interface Props {
  lines: readonly SeriesLine[];
  axis: Axis;
  label: string;
  seconds: number;
  warmUp: number;
  width: number;
  /** The round whose line is emphasised, and which of its points the keyboard is on. */
  round: number | null;
  point: SeriesPoint | null;
}

/** One quantity of all trials over time: thin lines above each other, the warm-up shaded. */
export function SeriesPlot({ lines, axis, label, seconds, warmUp, width, round, point }: Props) {
  const ticks = niceTicks([0, seconds], width > 560 ? 8 : 4);
  const values = niceTicks([axis.domain[0], axis.domain[1]], 4);
  const chosen = lines.find((line) => line.round === round);
  const samples = (chosen ?? lines[0])?.parts.flatMap(({ points }) => points) ?? [];
  return (
    <LineChart width={width} height={HEIGHT + 30} margin={MARGIN} data={samples} accessibilityLayer={false}>
      <CartesianGrid vertical={false} {...GRID} />
      <XAxis type="number" dataKey="t" domain={[0, seconds]} ticks={ticks} tickFormatter={(value: number) => `${formatNumber(value, tickDecimals(ticks))} s`} tick={AXIS_TICK} axisLine={AXIS_LINE} tickLine={AXIS_LINE} height={24} />
      <YAxis type="number" domain={[...axis.domain]} ticks={values} tickFormatter={(value: number) => formatNumber(value, tickDecimals(values))} tick={AXIS_TICK} axisLine={false} tickLine={false} width={LEFT} />
      <WarmUp until={warmUp} />
      <Lines lines={lines} chosen={chosen} />
      <Line dataKey="value" stroke="none" dot={false} activeDot={false} isAnimationActive={false} />
      {point && <ActivePoint {...point} />}
      {chosen && (
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: "var(--line-strong)" }}
          content={({ payload }) => {
            const sample = (payload?.[0] as { payload?: SeriesPoint } | undefined)?.payload;
            return sample ? <Tip title={t("seriesAt", { round: formatNumber(chosen.round), t: formatNumber(sample.t, 1) })} lines={[[label, `${formatNumber(sample.value, axis.decimals)} ${axis.unit}`]]} /> : null;
          }}
        />
      )}
    </LineChart>
  );
}

/** The warm-up as a shade with its name. */
function WarmUp({ until }: { until: number }) {
  const area = usePlotArea();
  const across = useXAxisScale();
  const end = across?.(until);
  if (!area || end === undefined || until <= 0) return null;
  const width = end - area.x;
  const name = t("warmUp");
  return (
    <g className="warm-up">
      <rect x={area.x} y={area.y} width={width} height={area.height} fill="var(--line)" opacity={0.6} />
      <path d={`M${end} ${area.y}v${area.height}`} stroke="var(--line-strong)" strokeDasharray="3 3" />
      <text x={area.x + 5} y={area.y + 13} fontSize={11.5} fill="var(--ink-2)">
        {name.length * 6.5 < width ? name : ""}
      </text>
    </g>
  );
}

/** All lines as three paths: those that count, those that do not, and the chosen one above them. */
function Lines({ lines, chosen }: { lines: readonly SeriesLine[]; chosen: SeriesLine | undefined }) {
  const across = useXAxisScale();
  const down = useYAxisScale();
  if (!across || !down) return null;
  const pathOf = (drawn: readonly SeriesLine[]) =>
    drawn
      .flatMap(({ parts }) => parts)
      .map(({ points }) => points.map(({ t: at, value }, index) => `${index === 0 ? "M" : "L"}${across(at)?.toFixed(1)} ${down(value)?.toFixed(1)}${points.length === 1 ? "h2" : ""}`).join(""))
      .join("");
  const faint = lines.length > 20 ? 0.35 : 0.6;
  return (
    <g className="series-lines" fill="none" strokeLinejoin="round">
      <path d={pathOf(lines.filter((line) => line.used))} stroke="var(--series-0)" strokeWidth={1.25} opacity={chosen ? faint / 2 : faint} />
      <path d={pathOf(lines.filter((line) => !line.used))} stroke="var(--ink-3)" strokeWidth={1.25} strokeDasharray="4 3" opacity={0.8} />
      {chosen && <path d={pathOf([chosen])} stroke="var(--accent)" strokeWidth={2.25} {...(!chosen.used && { strokeDasharray: "6 3" })} />}
    </g>
  );
}

function ActivePoint({ t: at, value }: SeriesPoint) {
  const x = useXAxisScale()?.(at);
  const y = useYAxisScale()?.(value);
  if (x === undefined || y === undefined) return null;
  return (
    <g>
      <circle cx={x} cy={y} r={8} fill="none" stroke="var(--focus)" strokeWidth={2} />
      <circle cx={x} cy={y} r={3} fill="var(--accent)" />
    </g>
  );
}

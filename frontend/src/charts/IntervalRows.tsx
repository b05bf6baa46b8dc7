import { CartesianGrid, ErrorBar, ReferenceArea, ReferenceLine, Scatter, ScatterChart, Tooltip, XAxis, YAxis } from "recharts";
import { formatNumber } from "@/components/format";
import { seriesColor, seriesShape } from "@/theme/palette";
import { HEADING_EDGE, HEADING_LINE, nameWidth, namesFit, overhang, withHeadings, type HeadedRow, type IntervalMark, type IntervalRow } from "./intervalLayout";
import { AXIS_LINE, truncate, GRID, numberAxis, RowText } from "./axes";
import { fittedNames } from "./fittedNames";
import { PlotLines } from "./PlotLines";
import { Symbol } from "./Symbol";
import { niceTicks, tickDecimals } from "./ticks";
import { Tip } from "./Tip";

interface Props {
  width: number;
  height: number;
  rows: readonly IntervalRow[];
  marks: readonly IntervalMark[];
  domain: readonly [number, number];
  /** The value that means no difference, drawn as a rule; `band` is the margin around it. */
  rule?: number;
  band?: readonly [number, number];
  /** Width for the rows' names at the left, 0 for none; by default, long names are drawn above their rows. */
  left?: number;
  /** Whether to draw a bar from the rule to each estimate, in the colour of the first. */
  bars?: boolean;
  format?: (value: number, decimals: number) => string;
  /** The key of the mark that the keyboard is on. */
  active?: string | null;
}

/** Left margin of a chart without names, so that its first tick does not overlap the chart beside it. */
const UNNAMED = 30;
const EDGE = 4;

/** A chart of estimates with their intervals, one row each, on a numeric axis. */
export function IntervalRows({ width, domain, rule, band, left: given, bars = false, format = formatNumber, active = null, ...layout }: Props) {
  const heading = given === undefined && !namesFit(layout.rows, width);
  const left = heading ? 0 : (given ?? nameWidth(layout.rows));
  const { height, rows, marks } = heading ? withHeadings(layout, width) : layout;
  const names = fittedNames(rows.map(({ label }) => label), left - 12);
  const ticks = niceTicks(domain, width - left > 420 ? 6 : 3);
  const [first, last] = [ticks[0], ticks.at(-1)].map((tick) => overhang(tick === undefined ? undefined : format(tick, tickDecimals(ticks))));
  const right = Math.max(14, last ?? 0);
  return (
    <ScatterChart width={width} height={height + 32} margin={{ top: 2, right, bottom: 0, left: 0 }} accessibilityLayer={false}>
      <CartesianGrid horizontal={false} {...GRID} />
      {band && <ReferenceArea x1={Math.max(domain[0], band[0])} x2={Math.min(domain[1], band[1])} fill="var(--accent)" fillOpacity={0.1} stroke="none" />}
      <XAxis dataKey="x" {...numberAxis(domain, ticks, format)} />
      <YAxis
        type="number"
        dataKey="y"
        domain={[0, height]}
        reversed
        width={left || (heading ? Math.max(EDGE, first ?? 0) : UNNAMED)}
        ticks={rows.map((row) => row.y)}
        interval={0}
        axisLine={AXIS_LINE}
        tickLine={false}
        tick={({ x, y, index }: { x: number | string; y: number | string; index: number }) => <Name row={left > 0 || heading ? rows[index] : undefined} name={names[index] ?? ""} x={Number(x)} y={Number(y)} left={left} width={width} />}
      />
      {rule !== undefined && <ReferenceLine x={rule} stroke="var(--ink-2)" strokeDasharray="5 4" />}
      {bars && rule !== undefined && <PlotLines lines={marks.map(({ x, y }) => ({ x: [rule, x], y: [y, y] }))} stroke={seriesColor(marks[0]?.color ?? 0)} strokeOpacity={0.32} strokeWidth={11} />}
      <Scatter
        data={[...marks]}
        isAnimationActive={false}
        shape={(point: { cx?: number; cy?: number; payload?: IntervalMark }) =>
          point.payload ? (
            <g>
              {point.payload.key === active && <circle cx={point.cx ?? 0} cy={point.cy ?? 0} r={10} fill="none" stroke="var(--focus)" strokeWidth={2} />}
              <Symbol shape={seriesShape(point.payload.shape)} cx={point.cx ?? 0} cy={point.cy ?? 0} size={9} fill={seriesColor(point.payload.color)} stroke="var(--surface)" />
            </g>
          ) : (
            <g />
          )
        }
      >
        <ErrorBar dataKey="error" direction="x" width={4} strokeWidth={1.75} stroke="var(--ink)" isAnimationActive={false} />
      </Scatter>
      <Tooltip
        cursor={false}
        isAnimationActive={false}
        content={({ payload }) => {
          const mark = (payload?.[0] as { payload?: IntervalMark } | undefined)?.payload;
          return mark?.lines ? <Tip title={mark.title} lines={mark.lines} /> : null;
        }}
      />
    </ScatterChart>
  );
}

interface NameProps {
  row: IntervalRow | HeadedRow | undefined;
  /** Its name as the room beside the plot allows. */
  name: string;
  x: number;
  y: number;
  left: number;
  width: number;
}

/** A row's name beside the plot, or above its row; a name that is cut is complete in its tooltip. */
function Name({ row, name, x, y, left, width }: NameProps) {
  if (!row) return null;
  if ("heading" in row) return <Heading row={row} y={y} width={width} />;
  return (
    <g>
      <title>{row.label}</title>
      <RowText x={x} y={y} label={name} heading={false} {...(row.sub && { sub: truncate(row.sub, (left - 12) * 1.1) })} />
    </g>
  );
}

function Heading({ row, y, width }: { row: HeadedRow; y: number; width: number }) {
  const [first = "", ...rest] = row.heading;
  const sub = rest.length === 0 && row.sub && (first.length + row.sub.length) * 7.4 < width ? row.sub : undefined;
  return (
    <g>
      <title>{row.label}</title>
      <RowText x={HEADING_EDGE - 2} y={y} label={first} heading {...(sub && { sub })} />
      {rest.map((line, index) => (
        <RowText key={index} x={HEADING_EDGE - 2} y={y + (index + 1) * HEADING_LINE} label={line} heading />
      ))}
    </g>
  );
}

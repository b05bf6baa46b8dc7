import { useId } from "react";
import {
  Bar,
  BarChart,
  CartesianGrid,
  ErrorBar,
  ReferenceLine,
  Scatter,
  ScatterChart,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import type { Axis } from "@/api/generated";
import { formatCompact, formatNumber } from "@/components/format";
import { messages } from "@/messages";
import { seriesColor, seriesShape } from "@/theme/palette";
import { AXIS_TICK, AXIS_LINE, GRID, numberAxis } from "@/charts/axes";
import { dotKey } from "@/charts/dotKeyboard";
import { leftOutText } from "@/charts/dotLayout";
import { MedianTick, TrialDot } from "@/charts/dotMarks";
import { roleName } from "@/charts/roleNames";
import { RolePatterns, rolePaint } from "@/charts/RolePaint";
import { niceTicks } from "@/charts/ticks";
import { Tip } from "@/charts/Tip";
import type { JointDots } from "./jointDots";
import type { JointLayout, JointLine } from "./jointLayout";

const t = messages("charts");

/** The height of the axis below a plot. */
export const AXIS = 26;
const NO_MARGIN = { top: 0, right: 0, bottom: 0, left: 0 };
const CROWDED = 260;

type Dot = JointDots["groups"][number]["dots"][number];

interface RateProps {
  layout: JointLayout;
  dots: JointDots;
  axis: Axis;
  width: number;
  /** The key of the mark that the keyboard is on. */
  active: string | null;
  onTrial: ((cellId: string, round: number) => void) | undefined;
}

/** A dot per trial, a thick tick for the median and a bar for its interval, on the shared lines. */
export function RatePlot({ layout, dots, axis, width, active, onTrial }: RateProps) {
  const { height, rate } = layout;
  const isCrowded = width <= CROWDED;
  const ticks = rate.ticks(isCrowded ? 2 : 4);
  const format = (position: number) =>
    rate.format(position, ticks, isCrowded ? formatCompact : undefined);
  return (
    <ScatterChart
      width={width}
      height={height + AXIS}
      margin={NO_MARGIN}
      accessibilityLayer={false}
    >
      <CartesianGrid horizontal={false} {...GRID} />
      <XAxis
        dataKey="x"
        {...numberAxis(rate.domain, ticks, format)}
        height={AXIS}
      />
      <YAxis type="number" dataKey="y" domain={[0, height]} reversed hide />
      {dots.groups.map((group) => (
        <Scatter
          key={group.key}
          data={group.dots}
          isAnimationActive={false}
          style={onTrial && { cursor: "pointer" }}
          onClick={(dot: unknown) => {
            const { cellId, round } = (dot as { payload: Dot }).payload;
            onTrial?.(cellId, round);
          }}
          shape={(dot: { cx?: number; cy?: number; payload?: Dot }) => (
            <TrialDot
              {...dot}
              color={seriesColor(group.color)}
              shape={seriesShape(group.shape)}
              isActive={dot.payload !== undefined && dotKey(dot.payload) === active}
            />
          )}
        />
      ))}
      <Scatter
        data={dots.medians}
        isAnimationActive={false}
        tooltipType="none"
        shape={MedianTick}
        style={{ pointerEvents: "none" }}
      >
        <ErrorBar
          dataKey="error"
          direction="x"
          width={4}
          strokeWidth={1.75}
          stroke="var(--ink)"
          isAnimationActive={false}
        />
      </Scatter>
      <Tooltip
        cursor={false}
        isAnimationActive={false}
        content={({ payload }) => (
          <DotTip dot={(payload?.[0] as { payload?: Dot } | undefined)?.payload} axis={axis} />
        )}
      />
    </ScatterChart>
  );
}

function DotTip({ dot, axis }: { dot: Dot | undefined; axis: Axis }) {
  if (!dot?.round) return null;
  const lines = [
    [axis.metric, `${formatNumber(dot.value, axis.decimals)} ${axis.unit}`],
    [t("round"), String(dot.round)],
    ...(dot.leftOut === null ? [] : [[t("excludedWord"), leftOutText(dot.leftOut)] as const]),
    ...(dot.unsteady ? [[t("unsteady"), t("flagged")] as const] : []),
  ] as const;
  return <Tip title={dot.label} lines={lines} />;
}

interface CpuProps {
  layout: JointLayout;
  width: number;
}

/** CPU by role as one stacked bar in cores, on the same lines. */
export function CpuPlot({ layout: { lines, lineHeight, height, cpu }, width }: CpuProps) {
  const patterns = useId().replaceAll(/[^\w]/g, "");
  const ticks = cpu.isEmpty ? [] : niceTicks(cpu.domain, width > CROWDED ? 4 : 2);
  const data = lines.map(({ key, kind, bar }) => ({
    key,
    bar,
    ...Object.fromEntries(
      cpu.roles.map((role) => [role, kind === "cell" ? Math.max(0, bar?.values[role] ?? 0) : 0]),
    ),
  }));
  return (
    <BarChart
      // Recharts stacks bars in the order in which they were mounted: other roles need a new chart.
      key={cpu.roles.join()}
      layout="vertical"
      width={width}
      height={height + AXIS}
      margin={NO_MARGIN}
      data={data}
      barSize={Math.min(16, lineHeight - 8)}
      accessibilityLayer={false}
    >
      <RolePatterns id={patterns} />
      <CartesianGrid horizontal={false} {...GRID} />
      <XAxis
        {...numberAxis(cpu.domain, ticks)}
        tick={AXIS_TICK}
        axisLine={AXIS_LINE}
        height={AXIS}
      />
      <YAxis type="category" dataKey="key" interval={0} hide />
      <Tooltip
        cursor={false}
        isAnimationActive={false}
        content={({ payload }) => (
          <BarTip
            bar={(payload?.[0] as { payload?: Pick<JointLine, "bar"> } | undefined)?.payload?.bar}
            roles={cpu.roles}
          />
        )}
      />
      {cpu.roles.map((role) => (
        <Bar
          key={role}
          dataKey={role}
          stackId="cpu"
          fill={rolePaint(role, patterns)}
          stroke="var(--surface)"
          strokeWidth={1}
          isAnimationActive={false}
        />
      ))}
      {cpu.cores !== null && !cpu.isBeyond && !cpu.isEmpty && (
        <ReferenceLine x={cpu.cores} stroke="var(--ink-2)" strokeDasharray="2 3" />
      )}
    </BarChart>
  );
}

function BarTip({
  bar,
  roles,
}: {
  bar: JointLine["bar"] | undefined;
  roles: JointLayout["cpu"]["roles"];
}) {
  if (!bar || bar.total === null) return null;
  const lines = roles.map(
    (role) =>
      [roleName(role), `${formatNumber(bar.values[role] ?? 0, 2)} ${t("coresLow")}`] as const,
  );
  return (
    <Tip
      title={bar.cell.label}
      lines={[...lines, [t("used"), `${formatNumber(bar.total, 2)} ${t("coresLow")}`]]}
    />
  );
}

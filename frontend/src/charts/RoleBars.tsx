import { useId, useState } from "react";
import { Bar, BarChart, CartesianGrid, ReferenceLine, Tooltip, XAxis, YAxis } from "recharts";
import type { ChartModel } from "@/api/chart";
import { formatNumber, plural } from "@/components/format";
import { CELL_STATES } from "@/components/states";
import { Toggle } from "@/components/Toggle";
import { ChartFrame } from "./ChartFrame";
import { AXIS_LINE, AXIS_TICK, fit, GRID, RowText } from "./parts";
import { roleLayout, type RoleBar, type RoleLayout, type RoleUnit } from "./roleLayout";
import { RoleLegend, RolePatterns, rolePaint } from "./RolePaint";
import { RoleTable } from "./RoleTable";
import { roleSentence } from "./sentences";
import { niceTicks, tickDecimals } from "./ticks";
import { Tip } from "./Tip";

const NARROW = 620;
const UNITS = [
  { value: "cores", label: "cores" },
  { value: "us_per_txn", label: "µs per transaction" },
] as const;
const UNIT_NAME: Record<RoleUnit, string> = { cores: "cores", us_per_txn: "µs" };

/** Who burns the CPU: one bar a cell, stacked by role up to what the host was busy. */
export function RoleBars({ model }: { model: ChartModel }) {
  const [unit, setUnit] = useState<RoleUnit>("cores");
  const layout = roleLayout(model, unit);
  const beyond = layout.ceilingBeyond && `The host has ${plural(model.cores ?? 0, "core")}: its ceiling lies beyond this axis.`;
  return (
    <ChartFrame
      title="CPU by role"
      note={
        unit === "cores"
          ? "Cores kept busy while the client ran at full speed; medians over the trials"
          : "Microseconds of CPU for each transaction; medians over the trials"
      }
      sentence={roleSentence(layout, unit)}
      controls={<Toggle label="CPU by role: unit" options={UNITS} value={unit} onChange={setUnit} />}
      legend={<RoleLegend roles={layout.roles} />}
      caption={beyond || undefined}
      chart={(width) => <Plot layout={layout} unit={unit} width={width} />}
      table={<RoleTable model={model} />}
    />
  );
}

function Plot({ layout, unit, width }: { layout: RoleLayout; unit: RoleUnit; width: number }) {
  const patterns = useId().replaceAll(/[^\w]/g, "");
  const heading = width < NARROW;
  const band = heading ? 48 : 38;
  const left = heading ? 2 : Math.min(210, Math.max(150, width * 0.24));
  const decimals = unit === "cores" ? 2 : 0;
  const ticks = niceTicks(layout.domain, width > 560 ? 6 : 4);
  const data = layout.bars.map((bar) => ({ ...Object.fromEntries(layout.roles.map((role) => [role, Math.max(0, bar.values[role] ?? 0)])), id: bar.id, bar }));
  return (
    <BarChart
      // Bars stack in the order in which they joined the chart: other roles make another chart.
      key={layout.roles.join()}
      layout="vertical"
      width={width}
      height={layout.bars.length * band + 34}
      margin={{ top: 10, right: 0, bottom: 0, left: 0 }}
      data={data}
      barSize={16}
      accessibilityLayer={false}
    >
      <RolePatterns id={patterns} />
      <CartesianGrid horizontal={false} {...GRID} />
      <XAxis
        type="number"
        domain={layout.domain}
        ticks={ticks}
        tickFormatter={(value: number) => formatNumber(value, tickDecimals(ticks))}
        tick={AXIS_TICK}
        axisLine={AXIS_LINE}
        tickLine={AXIS_LINE}
        height={30}
        interval={0}
      />
      <YAxis
        type="category"
        dataKey="id"
        width={left}
        interval={0}
        axisLine={AXIS_LINE}
        tickLine={false}
        tick={({ x, y, index }: { x: number | string; y: number | string; index: number }) => (
          <BarText bar={layout.bars[index]} x={Number(x)} y={Number(y)} heading={heading} room={width - left} />
        )}
      />
      <YAxis
        yAxisId="total"
        orientation="right"
        type="category"
        dataKey="id"
        width={62}
        interval={0}
        axisLine={false}
        tickLine={false}
        tick={({ x, y, index }: { x: number | string; y: number | string; index: number }) => (
          <Total total={layout.bars[index]?.total ?? null} x={Number(x)} y={Number(y)} decimals={decimals} />
        )}
      />
      <Tooltip
        cursor={{ fill: "var(--surface-2)" }}
        isAnimationActive={false}
        content={({ payload }) => {
          const bar = (payload?.[0] as { payload?: { bar: RoleBar } } | undefined)?.payload?.bar;
          if (!bar || bar.total === null) return null;
          const name = UNIT_NAME[unit];
          const lines = layout.roles.map((role) => [role, `${formatNumber(bar.values[role] ?? 0, decimals + 1)} ${name}`] as const);
          return <Tip title={`${bar.label}, ${bar.sub}`} lines={[...lines, ["host busy", `${formatNumber(bar.total, decimals + 1)} ${name}`]]} />;
        }}
      />
      {layout.roles.map((role) => (
        <Bar key={role} dataKey={role} stackId="cpu" fill={rolePaint(role, patterns)} stroke="var(--surface)" strokeWidth={1} isAnimationActive={false} />
      ))}
      {layout.ceiling !== null && (
        <ReferenceLine
          x={layout.ceiling}
          stroke="var(--ink-2)"
          strokeDasharray="2 3"
          label={{ value: `host: ${plural(layout.ceiling, "core")}`, position: "insideTopLeft", angle: 0, fontSize: 11.5, fill: "var(--ink-3)", dx: -80 }}
        />
      )}
    </BarChart>
  );
}

/** What the host was busy in all, at the row's end; nothing where there is no bar. */
function Total({ total, x, y, decimals }: { total: number | null; x: number; y: number; decimals: number }) {
  if (total === null) return null;
  return (
    <text x={x + 4} y={y} dy="0.34em" fontSize={12} fill="var(--ink-2)">
      {formatNumber(total, decimals)}
    </text>
  );
}

interface BarTextProps {
  bar: RoleBar | undefined;
  x: number;
  y: number;
  heading: boolean;
  room: number;
}

/** A bar's name and, for a cell without figures, its state in place of the bar. */
function BarText({ bar, x, y, heading, room }: BarTextProps) {
  if (!bar) return null;
  const told = CELL_STATES[bar.cell.state];
  return (
    <g>
      <RowText x={x + (heading ? 10 : 0)} y={heading ? y - 17 : y} label={bar.label} sub={bar.sub} heading={heading} />
      {bar.total === null && (
        <text x={x + (heading ? 13 : 8)} y={y} dy="0.34em" fontSize={12} fill="var(--ink-3)" fontStyle="italic">
          {told.glyph} {fit(told.word, room)}
        </text>
      )}
    </g>
  );
}

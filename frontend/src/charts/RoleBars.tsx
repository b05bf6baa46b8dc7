import { useId, useState } from "react";
import { Bar, BarChart, CartesianGrid, ReferenceLine, Tooltip, XAxis, YAxis } from "recharts";
import type { ChartCell, ChartModel } from "@/api/generated";
import type { ImageHref } from "@/api/exports";
import { formatNumber } from "@/components/format";
import { operationOf } from "@/components/rates";
import { Toggle } from "@/components/Toggle";
import { messages } from "@/messages";
import { ChartFrame } from "./ChartFrame";
import { fittedNames } from "./fittedNames";
import { AXIS_LINE, truncate, GRID, numberAxis } from "./axes";
import { roleLayout, type RoleBar, type RoleLayout, type RoleLine, type RoleUnit } from "./roleLayout";
import { roleName } from "./roleNames";
import { RoleLegend, RolePatterns, rolePaint } from "./RolePaint";
import { RoleTable } from "./RoleTable";
import { roleSentence } from "./sentences";
import { niceTicks } from "./ticks";
import { Tip } from "./Tip";
import { charactersOf } from "./textWidth";

const t = messages("charts");

const BAND = 25;
const unitName = (unit: RoleUnit) => (unit === "cores" ? t("coresLow") : "µs");

interface Props {
  model: ChartModel;
  shown?: readonly ChartCell[];
  /** The unit at first. */
  startsWith?: RoleUnit;
  /** The addresses of the chart as an image, by unit. */
  image?: (unit: RoleUnit) => ImageHref | undefined;
}

/** CPU by role as one stacked bar per cell; in cores, idle time fills the bar up to the capacity of the host. */
export function RoleBars({ model: whole, shown = whole.cells, startsWith = "cores", image }: Props) {
  const model = { ...whole, cells: [...shown] };
  const [unit, setUnit] = useState<RoleUnit>(startsWith);
  const layout = roleLayout(model, unit);
  const operation = operationOf(model.cells.map((cell) => cell.levels));
  const units = [
    { value: "cores", label: t("coresLow") },
    { value: "us_per_txn", label: t("usPerLow", { operation }) },
  ] as const;
  const beyond = layout.ceilingBeyond && t("ceilingBeyond", { count: model.cores ?? 0, n: formatNumber(model.cores ?? 0) });
  return (
    <ChartFrame
      title={t("cpuByRole")}
      note={
        unit === "cores"
          ? t("rolesNoteCores")
          : t("rolesNoteCost", { operation })
      }
      sentence={roleSentence(layout, unit, operation)}
      controls={<Toggle label={t("rolesUnit")} options={units} value={unit} onChange={setUnit} />}
      legend={<RoleLegend roles={layout.roles} />}
      caption={beyond || undefined}
      chart={(width) => <Plot layout={layout} unit={unit} width={width} />}
      table={<RoleTable model={model} />}
      marks={layout.bars.filter(({ total }) => total !== null).map((bar) => ({ key: bar.id, group: bar.id, text: roleText(bar, layout.roles, unit) }))}
      reading={{ text: t("rolesReading"), anchor: "roles" }}
      image={image?.(unit)}
    />
  );
}

function roleText(bar: RoleBar, roles: RoleLayout["roles"], unit: RoleUnit): string {
  const decimals = unit === "cores" ? 3 : 1;
  const parts = roles.map((role) => `${roleName(role)} ${formatNumber(bar.values[role] ?? 0, decimals)}`);
  return t("markRoles", { cell: bar.cell.label, total: formatNumber(bar.total, decimals), unit: unitName(unit), parts: parts.join(", ") });
}

function Plot({ layout, unit, width }: { layout: RoleLayout; unit: RoleUnit; width: number }) {
  const patterns = useId().replaceAll(/[^\w]/g, "");
  const longest = layout.lines.reduce((most, { bar }) => Math.max(most, charactersOf(bar?.label ?? "")), 0);
  const left = Math.min(Math.max(70, 14 + longest * 6.4), width * 0.42);
  const decimals = unit === "cores" ? 2 : 0;
  const ticks = niceTicks(layout.domain, width > 560 ? 6 : 4);
  const data = layout.lines.map(({ id, bar }) => ({ ...Object.fromEntries(layout.roles.map((role) => [role, Math.max(0, bar?.values[role] ?? 0)])), id, bar }));
  const names = fittedNames(layout.lines.map((line) => line.bar?.label ?? line.heading ?? ""), left - 12);
  return (
    <BarChart
      // Recharts stacks bars in the order in which they were mounted: other roles need a new chart.
      key={layout.roles.join()}
      layout="vertical"
      width={width}
      height={layout.lines.length * BAND + 44}
      margin={{ top: 10, right: 0, bottom: 0, left: 0 }}
      data={data}
      barSize={15}
      accessibilityLayer={false}
    >
      <RolePatterns id={patterns} />
      <CartesianGrid horizontal={false} {...GRID} />
      <XAxis {...numberAxis(layout.domain, ticks)} />
      <YAxis
        type="category"
        dataKey="id"
        width={left}
        interval={0}
        axisLine={AXIS_LINE}
        tickLine={false}
        tick={({ x, y, index }: { x: number | string; y: number | string; index: number }) => (
          <LineText line={layout.lines[index]} name={names[index] ?? ""} x={Number(x)} y={Number(y)} left={left} room={width - left} />
        )}
      />
      <YAxis
        yAxisId="total"
        orientation="right"
        type="category"
        dataKey="id"
        width={52}
        interval={0}
        axisLine={false}
        tickLine={false}
        tick={({ x, y, index }: { x: number | string; y: number | string; index: number }) => (
          <Total total={layout.lines[index]?.bar?.total ?? null} x={Number(x)} y={Number(y)} decimals={decimals} />
        )}
      />
      <Tooltip
        cursor={{ fill: "var(--surface-2)" }}
        isAnimationActive={false}
        content={({ payload }) => {
          const bar = (payload?.[0] as { payload?: { bar: RoleBar | null } } | undefined)?.payload?.bar;
          if (!bar || bar.total === null) return null;
          const name = unitName(unit);
          const lines = layout.roles.map((role) => [roleName(role), `${formatNumber(bar.values[role] ?? 0, decimals + 1)} ${name}`] as const);
          return <Tip title={bar.cell.label} lines={[...lines, [t("used"), `${formatNumber(bar.total, decimals + 1)} ${name}`]]} />;
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
          label={{ value: t("hostCores", { count: layout.ceiling, n: formatNumber(layout.ceiling) }), position: "insideTopLeft", angle: 0, fontSize: 11.5, fill: "var(--ink-3)", dx: -80 }}
        />
      )}
    </BarChart>
  );
}

/** The total at the end of a row; nothing where there is no bar. */
function Total({ total, x, y, decimals }: { total: number | null; x: number; y: number; decimals: number }) {
  if (total === null) return null;
  return (
    <text x={x + 4} y={y} dy="0.34em" fontSize={12} fill="var(--ink-2)">
      {formatNumber(total, decimals)}
    </text>
  );
}

interface LineTextProps {
  line: RoleLine | undefined;
  /** Its name as the room beside the plot allows. */
  name: string;
  x: number;
  y: number;
  left: number;
  room: number;
}

/** A heading, or the name of a bar, with the cell's state where the cell has no figures. */
function LineText({ line, name, x, y, left, room }: LineTextProps) {
  if (!line) return null;
  if (!line.bar)
    return (
      <text x={x - left + (line.isGroup ? 6 : 14)} y={y + 3} dy="0.34em" fontSize={line.isGroup ? 12.5 : 12} fontWeight={line.isGroup ? 600 : 500} fill={line.isGroup ? "var(--ink)" : "var(--ink-2)"} stroke="var(--surface)" strokeWidth={4} paintOrder="stroke">
        {line.heading}
      </text>
    );
  const { bar } = line;
  return (
    <g>
      <title>{bar.cell.label}</title>
      <text x={x - 6} y={y} dy="0.34em" textAnchor="end" fontSize={12} fill="var(--ink-2)">
        {name}
      </text>
      {bar.total === null && (
        <text x={x + 8} y={y} dy="0.34em" fontSize={12} fill="var(--ink-3)" fontStyle="italic">
          {bar.state.glyph} {truncate(bar.state.word, room)}
        </text>
      )}
    </g>
  );
}

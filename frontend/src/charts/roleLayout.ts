/** The stacked CPU bars of a result: one bar per cell, one part per role, in cores or per operation. */
import type { ChartCell, ChartModel } from "@/api/generated";
import { hasFigures } from "@/api/states";
import { cellState, type StateLabel } from "@/components/stateLabels";
import { ROLES, UNUSED, type RoleName } from "@/theme/palette";
import { grouped, isNested, withinGroup } from "./rowGroups";
import { niceTicks } from "./ticks";

export type RoleUnit = "cores" | "us_per_txn";

export interface RoleBar {
  id: string;
  /** The bar's name below its heading. */
  label: string;
  cell: ChartCell;
  /** As measured; unattributed time is negative where counters overlap. */
  values: Partial<Record<RoleName, number>>;
  /** The sum of the positive values, without idle and steal. */
  total: number | null;
  /** The cell's state, shown in place of a bar. */
  state: StateLabel;
}

/** A line of the chart: the heading of a group, the heading of a row in a group, or a bar. */
export type RoleLine = { id: string; heading: string; isGroup: boolean; bar: null } | { id: string; heading: null; isGroup: false; bar: RoleBar };

export interface RoleLayout {
  bars: RoleBar[];
  lines: RoleLine[];
  roles: RoleName[];
  domain: [number, number];
  /** The host's cores, where they are on the axis; `ceilingBeyond` is set where they are far outside it. */
  ceiling: number | null;
  ceilingBeyond: boolean;
}

/** The axis ends at the host's cores where these are at most this many times the used cores. */
const CEILING_REACH = 4;

function sum(values: RoleBar["values"], keep: (role: string) => boolean): number {
  return Object.entries(values).reduce((all, [role, value]) => (keep(role) ? all + value : all), 0);
}

function bar(cell: ChartCell, unit: RoleUnit, origin: ChartModel["origin"]): RoleBar {
  const drawn = hasFigures(cell) && cell.cpu.length > 0;
  const values: RoleBar["values"] = {};
  for (const share of drawn ? cell.cpu : []) {
    const role = ROLES.find((known) => known.role === share.role)?.role ?? "other";
    values[role] = (values[role] ?? 0) + share[unit];
  }
  return {
    id: cell.id,
    label: cell.series,
    cell,
    values,
    total: drawn ? sum(values, (role) => !UNUSED.has(role) && (values[role as RoleName] ?? 0) > 0) : null,
    state: cellState(cell.state, origin),
  };
}

/** Returns the round number at which an axis from 0 that includes `value` ends. */
export function axisEnd(value: number): number {
  const ticks = niceTicks([0, value * 1.02 || 1], 5);
  const step = (ticks[1] ?? 1) - (ticks[0] ?? 0);
  return Number((Math.ceil((value * 1.02 || 1) / step) * step).toPrecision(12));
}

function linesOf(bars: readonly RoleBar[], series: number): RoleLine[] {
  const nested = isNested(bars.map((each) => each.cell));
  const line = (each: RoleBar, label: string): RoleLine => ({ id: each.id, heading: null, isGroup: false, bar: { ...each, label } });
  // With one series, bars are named by their row.
  if (!nested && series <= 1) return bars.map((each) => line(each, each.cell.row));
  return grouped(bars, (each) => each.cell).flatMap(({ group, items }): RoleLine[] => [
    { id: `group ${group}`, heading: group, isGroup: true, bar: null },
    ...[...Map.groupBy(items, (each) => each.cell.row)].flatMap(([row, found]): RoleLine[] => {
      const within = found[0] ? withinGroup(found[0].cell) : "";
      // A duplicate has no heading: its mark is part of the bar's name.
      if (!nested) return found.map((each) => line(each, [within, each.label].filter(Boolean).join(", ")));
      return [...(within ? [{ id: `row ${row}`, heading: within, isGroup: false as const, bar: null }] : []), ...found.map((each) => line(each, each.label))];
    }),
  ]);
}

export function roleLayout(model: ChartModel, unit: RoleUnit): RoleLayout {
  const bars = model.cells.map((cell) => bar(cell, unit, model.origin));
  const used = bars.reduce((max, { total }) => Math.max(max, total ?? 0), 0);
  const cores = unit === "cores" ? model.cores : null;
  const near = cores !== null && cores <= used * CEILING_REACH;
  // Idle and steal, which fill the bar up to the host's cores, are left out where these are off the axis.
  const kept = (role: string) => near || !UNUSED.has(role);
  const most = bars.reduce((max, { values }) => Math.max(max, sum(values, kept)), 0);
  return {
    bars,
    lines: linesOf(bars, model.legend.length),
    roles: ROLES.map(({ role }) => role).filter((role) => kept(role) && bars.some(({ values }) => (values[role] ?? 0) > 0)),
    domain: [0, near ? Math.max(cores, most) : axisEnd(most)],
    ceiling: near ? cores : null,
    ceilingBeyond: cores !== null && !near,
  };
}

/** The stacked CPU bars of a result: one bar a cell, one part a role, in cores or per transaction. */
import type { ChartCell, ChartModel } from "@/api/generated";
import { hasFigures } from "@/api/states";
import { cellState, type StateLabel } from "@/components/stateLabels";
import { ROLES, UNUSED, type RoleName } from "@/theme/palette";
import { grouped, isNested, withinGroup } from "./rowGroups";
import { niceTicks } from "./ticks";

export type RoleUnit = "cores" | "us_per_txn";

export interface RoleBar {
  id: string;
  /** The bar's name under its heading. */
  label: string;
  cell: ChartCell;
  /** As measured; unattributed time is below zero where counters overlap, and is not counted as used then. */
  values: Partial<Record<RoleName, number>>;
  /** What was used: every role and what is unattributed, without idle and steal. */
  total: number | null;
  /** The cell's state, shown in place of a bar. */
  state: StateLabel;
}

/** A line of the chart: the heading of a group or of a row inside it, or a bar. */
export type RoleLine = { id: string; heading: string; leads: boolean; bar: null } | { id: string; heading: null; leads: false; bar: RoleBar };

export interface RoleLayout {
  bars: RoleBar[];
  lines: RoleLine[];
  roles: RoleName[];
  domain: [number, number];
  /** The host's cores, where they lie on the axis; `ceilingBeyond` where they lie far outside it. */
  ceiling: number | null;
  ceilingBeyond: boolean;
}

/** A host with more than this many times the used cores would compress the bars: the caption states it instead. */
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

/** The end of an axis from zero that holds `value` and ends on a round number. */
export function roundUp(value: number): number {
  const ticks = niceTicks([0, value * 1.02 || 1], 5);
  const step = (ticks[1] ?? 1) - (ticks[0] ?? 0);
  return Number((Math.ceil((value * 1.02 || 1) / step) * step).toPrecision(12));
}

function linesOf(bars: readonly RoleBar[], series: number): RoleLine[] {
  const nested = isNested(bars.map((each) => each.cell));
  const line = (each: RoleBar, label: string): RoleLine => ({ id: each.id, heading: null, leads: false, bar: { ...each, label } });
  // One series says nothing beside its row: the row is the bar's name.
  if (!nested && series <= 1) return bars.map((each) => line(each, each.cell.row));
  return grouped(bars, (each) => each.cell).flatMap(({ group, items }): RoleLine[] => [
    { id: `group ${group}`, heading: group, leads: true, bar: null },
    ...[...Map.groupBy(items, (each) => each.cell.row)].flatMap(([row, found]): RoleLine[] => {
      const within = withinGroup(row);
      // The duplicate's mark is too little for a heading of its own.
      if (!nested) return found.map((each) => line(each, [within, each.label].filter(Boolean).join(", ")));
      return [...(within ? [{ id: `row ${row}`, heading: within, leads: false as const, bar: null }] : []), ...found.map((each) => line(each, each.label))];
    }),
  ]);
}

export function roleLayout(model: ChartModel, unit: RoleUnit): RoleLayout {
  const bars = model.cells.map((cell) => bar(cell, unit, model.origin));
  const used = bars.reduce((max, { total }) => Math.max(max, total ?? 0), 0);
  const cores = unit === "cores" ? model.cores : null;
  const near = cores !== null && cores <= used * CEILING_REACH;
  // Idle and steal fill the bar up to the host's cores; where these are far beyond the used cores, they are left out.
  const kept = (role: string) => near || !UNUSED.has(role);
  const most = bars.reduce((max, { values }) => Math.max(max, sum(values, kept)), 0);
  return {
    bars,
    lines: linesOf(bars, model.legend.length),
    roles: ROLES.map(({ role }) => role).filter((role) => kept(role) && bars.some(({ values }) => (values[role] ?? 0) > 0)),
    domain: [0, near ? Math.max(cores, most) : roundUp(most)],
    ceiling: near ? cores : null,
    ceilingBeyond: cores !== null && !near,
  };
}

/** The stacked CPU bars of a result: one bar a cell, one part a role, in cores or per transaction. */
import type { ChartCell, ChartModel } from "@/api/chart";
import { ROLES, type RoleName } from "@/theme/palette";
import { isDrawn } from "./dotLayout";
import { niceTicks } from "./ticks";

export type RoleUnit = "cores" | "us_per_txn";

export interface RoleBar {
  id: string;
  label: string;
  sub: string;
  cell: ChartCell;
  /** As measured; what is unattributed may be a little below zero, because two clocks were read. */
  values: Partial<Record<RoleName, number>>;
  total: number | null;
}

export interface RoleLayout {
  bars: RoleBar[];
  roles: RoleName[];
  domain: [number, number];
  /** The host's cores, where they lie on the axis; `ceilingBeyond` where they lie far outside it. */
  ceiling: number | null;
  ceilingBeyond: boolean;
}

/** A host with more than this many times the used cores would squeeze the bars: it is told in words. */
const CEILING_REACH = 3;

function bar(cell: ChartCell, unit: RoleUnit): RoleBar {
  const drawn = isDrawn(cell) && cell.cpu.length > 0;
  const values: RoleBar["values"] = {};
  for (const share of drawn ? cell.cpu : []) {
    const role = ROLES.find((known) => known.role === share.role)?.role ?? "other";
    values[role] = (values[role] ?? 0) + share[unit];
  }
  return {
    id: cell.id,
    label: cell.row,
    sub: cell.series,
    cell,
    values,
    total: drawn ? Object.values(values).reduce((sum, value) => sum + value, 0) : null,
  };
}

/** The end of an axis from zero that holds `value` and ends on a round number. */
export function roundUp(value: number): number {
  const ticks = niceTicks([0, value * 1.02 || 1], 5);
  const step = (ticks[1] ?? 1) - (ticks[0] ?? 0);
  return Number((Math.ceil((value * 1.02 || 1) / step) * step).toPrecision(12));
}

export function roleLayout(model: ChartModel, unit: RoleUnit): RoleLayout {
  const bars = model.cells.map((cell) => bar(cell, unit));
  const most = bars.reduce((max, { total }) => Math.max(max, total ?? 0), 0);
  const cores = unit === "cores" ? model.cores : null;
  const near = cores !== null && cores <= most * CEILING_REACH;
  return {
    bars,
    roles: ROLES.map(({ role }) => role).filter((role) => bars.some(({ values }) => (values[role] ?? 0) > 0)),
    domain: [0, near && most <= cores ? cores : roundUp(most)],
    ceiling: near ? cores : null,
    ceilingBeyond: cores !== null && !near,
  };
}

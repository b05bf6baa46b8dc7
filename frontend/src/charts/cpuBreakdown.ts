/** The CPU of one trial as one bar: roles, unattributed, steal and idle time add up to the capacity of the host. */
import type { CpuByRole } from "@/api/generated";
import { ROLES, UNUSED, type RoleName } from "@/theme/palette";

export interface BreakdownPart {
  role: RoleName;
  coreSeconds: number;
  cores: number;
  /** Of the capacity of the host. */
  percent: number;
  /** Null where no operation was counted, and for what was not used. */
  usPerOperation: number | null;
  source: string;
  /** Where the part lies in the bar, as shares of its length; what is below zero has no length. */
  from: number;
  to: number;
}

export interface CpuBreakdown {
  parts: BreakdownPart[];
  /** The time used, in the same units. */
  busy: Omit<BreakdownPart, "role" | "from" | "to">;
  capacity: number;
  cores: number;
  /** All parts together as percent of the capacity of the host: 100 where the components add up. */
  totalPercent: number;
}

const OWN_SOURCE: Partial<Record<RoleName, string>> = { unattributed: "capacity − all the others", steal: "/proc/stat", idle: "/proc/stat" };

export function cpuBreakdown(cpu: CpuByRole, seconds: number, operations: number): CpuBreakdown {
  const value = (role: RoleName): number => {
    if (role === "unattributed" || role === "idle" || role === "steal") return cpu[role];
    return cpu.roles[role] ?? 0;
  };
  const figures = (coreSeconds: number, unused: boolean) => ({
    coreSeconds,
    cores: seconds > 0 ? coreSeconds / seconds : 0,
    percent: cpu.capacity > 0 ? (100 * coreSeconds) / cpu.capacity : 0,
    usPerOperation: unused || operations <= 0 ? null : (coreSeconds * 1e6) / operations,
  });
  const roles = ROLES.map(({ role }) => role).filter((role) => role in OWN_SOURCE || cpu.roles[role] !== undefined);
  // A part below zero has no length, so the others may be a little longer than the host: the bar holds them all.
  const length = Math.max(cpu.capacity, roles.reduce((sum, role) => sum + Math.max(0, value(role)), 0)) || 1;
  let end = 0;
  const parts = roles.map((role): BreakdownPart => {
    const from = end;
    end += Math.max(0, value(role)) / length;
    return { role, ...figures(value(role), UNUSED.has(role)), source: cpu.sources[role] ?? OWN_SOURCE[role] ?? "", from, to: end };
  });
  const total = parts.reduce((sum, part) => sum + part.coreSeconds, 0);
  // Below zero the counters overlap: that is no used time, and is not subtracted.
  const busy = parts.reduce((sum, { role, coreSeconds }) => (UNUSED.has(role) ? sum : sum + Math.max(0, coreSeconds)), 0);
  return {
    parts,
    busy: { ...figures(busy, false), source: "the sum of the roles" },
    capacity: cpu.capacity,
    cores: seconds > 0 ? cpu.capacity / seconds : 0,
    totalPercent: figures(total, true).percent,
  };
}

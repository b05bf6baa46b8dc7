/** The CPU time of one trial by role. Roles, unattributed, steal and idle time add up to the capacity of the host. */
import type { CpuByRole } from "@/api/generated";
import { ROLES, UNUSED, type RoleName } from "@/theme/palette";
import { messages } from "@/messages";

const t = messages("charts");

export interface BreakdownPart {
  role: RoleName;
  coreSeconds: number;
  cores: number;
  /** Percentage of the capacity of the host. */
  percent: number;
  /** Null where no operation was counted, and for idle and steal. */
  usPerOperation: number | null;
  source: string;
  /** Start and end in the bar, as shares of its length; a negative part has no length. */
  from: number;
  to: number;
}

export interface CpuBreakdown {
  parts: BreakdownPart[];
  /** The sum of all parts but idle and steal. */
  busy: Omit<BreakdownPart, "role" | "from" | "to">;
  capacity: number;
  cores: number;
  /** The sum of all parts as a percentage of the capacity of the host: 100 where they add up. */
  totalPercent: number;
}

const OWN_SOURCE: Partial<Record<RoleName, string>> = { unattributed: "", steal: "/proc/stat", idle: "/proc/stat" };

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
  // Where a part is negative, the others exceed the capacity: the bar is scaled to their sum.
  const length = Math.max(cpu.capacity, roles.reduce((sum, role) => sum + Math.max(0, value(role)), 0)) || 1;
  let end = 0;
  const parts = roles.map((role): BreakdownPart => {
    const from = end;
    end += Math.max(0, value(role)) / length;
    return { role, ...figures(value(role), UNUSED.has(role)), source: cpu.sources[role] ?? (role === "unattributed" ? t("sourceRest") : OWN_SOURCE[role]) ?? "", from, to: end };
  });
  const total = parts.reduce((sum, part) => sum + part.coreSeconds, 0);
  // Negative unattributed time is an overlap of counters, and is not subtracted from the time used.
  const busy = parts.reduce((sum, { role, coreSeconds }) => (UNUSED.has(role) ? sum : sum + Math.max(0, coreSeconds)), 0);
  return {
    parts,
    busy: { ...figures(busy, false), source: t("sourceSum") },
    capacity: cpu.capacity,
    cores: seconds > 0 ? cpu.capacity / seconds : 0,
    totalPercent: figures(total, true).percent,
  };
}

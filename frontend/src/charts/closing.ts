/** The CPU of one trial as one bar that closes: every role, what is unattributed, stolen and idle, up to what the host had. */
import type { CpuByRole } from "@/api/types";
import { ROLES, SPARE, type RoleName } from "@/theme/palette";

export interface ClosingPart {
  role: RoleName;
  coreSeconds: number;
  cores: number;
  /** Of what the host had. */
  percent: number;
  /** Null where no operation was counted, and for what was not used. */
  usPerOperation: number | null;
  source: string;
  /** Where the part lies in the bar, as shares of its length; what is below zero has no length. */
  from: number;
  to: number;
}

export interface Closing {
  parts: ClosingPart[];
  /** What was used, in the same words. */
  busy: Omit<ClosingPart, "role" | "from" | "to">;
  capacity: number;
  cores: number;
  /** All parts together as percent of what the host had: 100 where it closes. */
  closes: number;
}

const OWN_SOURCE: Partial<Record<RoleName, string>> = { unattributed: "capacity − all the others", steal: "/proc/stat", idle: "/proc/stat" };

export function closing(cpu: CpuByRole, seconds: number, operations: number): Closing {
  const value = (role: RoleName): number => {
    if (role === "unattributed" || role === "idle" || role === "steal") return cpu[role];
    return cpu.roles[role] ?? 0;
  };
  const figures = (coreSeconds: number, spare: boolean) => ({
    coreSeconds,
    cores: seconds > 0 ? coreSeconds / seconds : 0,
    percent: cpu.capacity > 0 ? (100 * coreSeconds) / cpu.capacity : 0,
    usPerOperation: spare || operations <= 0 ? null : (coreSeconds * 1e6) / operations,
  });
  const roles = ROLES.map(({ role }) => role).filter((role) => role in OWN_SOURCE || cpu.roles[role] !== undefined);
  // A part below zero has no length, so the others may be a little longer than the host: the bar holds them all.
  const length = Math.max(cpu.capacity, roles.reduce((sum, role) => sum + Math.max(0, value(role)), 0)) || 1;
  let end = 0;
  const parts = roles.map((role): ClosingPart => {
    const from = end;
    end += Math.max(0, value(role)) / length;
    return { role, ...figures(value(role), SPARE.has(role)), source: cpu.sources[role] ?? OWN_SOURCE[role] ?? "", from, to: end };
  });
  const total = parts.reduce((sum, part) => sum + part.coreSeconds, 0);
  // Below zero the counters overlap: that is no work, and nothing to take off it.
  const busy = parts.reduce((sum, { role, coreSeconds }) => (SPARE.has(role) ? sum : sum + Math.max(0, coreSeconds)), 0);
  return {
    parts,
    busy: { ...figures(busy, false), source: "the sum of the roles" },
    capacity: cpu.capacity,
    cores: seconds > 0 ? cpu.capacity / seconds : 0,
    closes: figures(total, true).percent,
  };
}

/** The CPU table of one trial: every role, what nobody owns, and the host's own count that they add up to. */
import type { TrialRecord } from "@/api/types";
import { ROLES } from "@/theme/palette";

export interface CpuRow {
  name: string;
  coreSeconds: number;
  cores: number;
  /** Null where no transaction was counted, and for what was not used. */
  usPerTxn: number | null;
  source: string;
  total: boolean;
}

export function cpuRows(record: TrialRecord): CpuRow[] {
  const { cpu, window, transactions } = record;
  const row = (name: string, coreSeconds: number, source: string, total = false): CpuRow => ({
    name,
    coreSeconds,
    cores: coreSeconds / window.seconds,
    usPerTxn: transactions > 0 ? (coreSeconds * 1e6) / transactions : null,
    source,
    total,
  });
  // What no one used has no cost per transaction.
  const spare = (name: string, coreSeconds: number, source: string): CpuRow => ({ ...row(name, coreSeconds, source), usPerTxn: null });
  const order = [...ROLES.map(({ role }) => role as string), ...Object.keys(cpu.roles)];
  const roles = [...new Set(order)].filter((role) => cpu.roles[role] !== undefined && role !== "unattributed");
  return [
    ...roles.map((role) => row(role, cpu.roles[role] ?? 0, cpu.sources[role] ?? "")),
    row("unattributed", cpu.unattributed, "host busy − tasks"),
    row("host busy", cpu.host_busy, "/proc/stat", true),
    spare("idle", cpu.idle, "/proc/stat"),
    spare("steal", cpu.steal, "/proc/stat"),
    { ...spare("capacity", cpu.capacity, "cores × window"), total: true },
  ];
}

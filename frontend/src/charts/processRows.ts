/** The processes of one trial by role and name, busiest first; long lists end with a sum of the others. */
import type { ProcessCpu } from "@/api/generated";
import { messages } from "@/messages";
import { ROLES } from "@/theme/palette";

const t = messages("charts");

export interface ProcessRow {
  key: string;
  /** Null for the row that sums the processes that are not shown. */
  process: ProcessCpu | null;
  name: string;
  seconds: number;
  cores: number;
  switches: number | null;
}

export interface ProcessGroup {
  role: string;
  name: string;
  /** The number of processes, or of threads where a process is listed by its threads only. */
  count: number;
  cores: number;
  rows: ProcessRow[];
}

const SHOWN = 8;

/** Returns the entries to sum: of a process that is listed with its threads, the process only. */
function counted(processes: readonly ProcessCpu[]): ProcessCpu[] {
  const whole = new Set(processes.filter(({ thread }) => thread === null).map(({ pid }) => pid));
  return processes.filter(({ pid, thread }) => thread === null || !whole.has(pid));
}

function row(process: ProcessCpu, seconds: number): ProcessRow {
  const { pid, thread, name, context_switches } = process;
  return { key: `${process.role} ${name} ${pid} ${thread}`, process, name, seconds: process.seconds, cores: process.seconds / seconds, switches: context_switches };
}

function remainder(hidden: readonly ProcessCpu[], seconds: number): ProcessRow[] {
  if (hidden.length === 0) return [];
  const once = counted(hidden);
  const sum = once.reduce((all, process) => all + process.seconds, 0);
  const known = once.every(({ context_switches }) => context_switches !== null);
  const switches = known ? once.reduce((all, process) => all + (process.context_switches ?? 0), 0) : null;
  return [{ key: "remainder", process: null, name: t("moreProcesses", { number: hidden.length }), seconds: sum, cores: sum / seconds, switches }];
}

export function processGroups(processes: readonly ProcessCpu[], seconds: number): ProcessGroup[] {
  const order: string[] = ROLES.map(({ role }) => role);
  const groups = [...Map.groupBy(processes, ({ role, name }) => `${role}\n${name}`).values()].map((members): ProcessGroup => {
    const sorted = [...members].sort((a, b) => b.seconds - a.seconds);
    // A row "1 more" would need as much space as the row that it hides.
    const shown = sorted.length <= SHOWN + 1 ? sorted.length : SHOWN;
    const once = counted(members);
    const [first] = sorted;
    return {
      role: first?.role ?? "other",
      name: first?.name ?? "",
      count: once.length,
      cores: once.reduce((all, process) => all + process.seconds, 0) / seconds,
      rows: [...sorted.slice(0, shown).map((process) => row(process, seconds)), ...remainder(sorted.slice(shown), seconds)],
    };
  });
  return groups.sort((a, b) => order.indexOf(a.role) - order.indexOf(b.role) || b.cores - a.cores);
}

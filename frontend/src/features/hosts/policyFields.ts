/** Fields of a host's policy, and the policy in words. Pure. */
import type { OpeningHours, PolicySettings, WeeklyWindow } from "@/api/generated";
import { formatDuration } from "@/components/format";

export type Engine = NonNullable<PolicySettings["engines"]>[number];
export type Day = WeeklyWindow["days"][number];

/** The Docker daemons that a run can use; lab daemons by their setting of userland-proxy. */
export const ENGINES: Record<Engine, string> = { on: "lab, userland-proxy on", off: "lab, userland-proxy off", swarm: "swarm of two lab daemons, or of two hosts", host: "the host’s own daemon" };
export const DAYS: readonly Day[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const DAY_NAMES: Record<Day, string> = { mon: "Mon", tue: "Tue", wed: "Wed", thu: "Thu", fri: "Fri", sat: "Sat", sun: "Sun" };
const ALL = Object.keys(ENGINES) as Engine[];

export interface PolicyFields {
  engines: readonly Engine[];
  programs: "any" | "none" | "some";
  /** The names of programs, where only some may be used. */
  names: string;
  longest: string;
  zone: string;
  windows: readonly WeeklyWindow[];
}

export function dayName(day: Day): string {
  return DAY_NAMES[day];
}

/** The fields of a stored policy; `zone` is the time zone where it has no hours. */
export function fieldsOf({ engines, programs, longest_trial_s, hours }: PolicySettings, zone: string): PolicyFields {
  return {
    engines: engines ?? ALL,
    programs: programs == null ? "any" : programs.length === 0 ? "none" : "some",
    names: (programs ?? []).join(", "),
    longest: longest_trial_s == null ? "" : String(longest_trial_s),
    zone: hours?.time_zone ?? zone,
    windows: hours?.windows ?? [],
  };
}

/** The policy of the fields; the API says what is wrong with one. What is open of the network stays. */
export function policyOf(fields: PolicyFields, network: boolean): PolicySettings {
  const names = fields.names.split(/[\s,]+/).filter(Boolean);
  return {
    engines: fields.engines.length === ALL.length ? null : [...fields.engines],
    host_network: network,
    programs: fields.programs === "any" ? null : fields.programs === "none" ? [] : names,
    longest_trial_s: fields.longest.trim() === "" ? null : Number(fields.longest),
    hours: fields.windows.length === 0 ? null : { time_zone: fields.zone.trim(), windows: fields.windows.map((window) => ({ ...window, days: [...window.days] })) },
  };
}

/** The policy as names and values, without what limits nothing. */
export function policyFacts({ engines, programs, longest_trial_s, hours }: PolicySettings): (readonly [string, string])[] {
  const facts: (readonly [string, string])[] = [];
  if (engines != null) facts.push(["Docker daemons", engines.map((engine) => ENGINES[engine]).join("; ")]);
  if (programs != null) facts.push(["Proxy programs", ["docker-proxy", ...programs].join(", ")]);
  if (longest_trial_s != null) facts.push(["Longest trial", formatDuration(longest_trial_s)]);
  if (hours != null) facts.push(["Hours", describeHours(hours)]);
  return facts;
}

export function describeHours({ windows, time_zone }: OpeningHours): string {
  return `${windows.map(({ days, opens, closes }) => `${describeDays(days)} ${opens} to ${closes}`).join("; ")} (${time_zone})`;
}

/** Days as ranges: "Mon to Fri", "Sat, Sun". */
function describeDays(days: readonly Day[]): string {
  const ranges: Day[][] = [];
  for (const day of DAYS) {
    if (!days.includes(day)) continue;
    const last = ranges.at(-1);
    if (last && DAYS.indexOf(last.at(-1)!) === DAYS.indexOf(day) - 1) last.push(day);
    else ranges.push([day]);
  }
  return ranges.map((range) => (range.length > 2 ? `${dayName(range[0]!)} to ${dayName(range.at(-1)!)}` : range.map(dayName).join(", "))).join(", ");
}

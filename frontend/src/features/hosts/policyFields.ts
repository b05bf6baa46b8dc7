/** Fields of a host's policy, and the policy in words. Pure. */
import type { OpeningHours, PolicySettings, WeeklyWindow } from "@/api/generated";
import { formatDuration } from "@/components/format";
import { messages } from "@/messages";

const t = messages("hosts");

export type Engine = NonNullable<PolicySettings["engines"]>[number];
export type Day = WeeklyWindow["days"][number];

/** The Docker daemons that a run can use; lab daemons by their setting of userland-proxy. */
export const engineNames = (): Record<Engine, string> => ({ on: t("engineOn"), off: t("engineOff"), swarm: t("engineSwarm"), host: t("engineHost") });
export const DAYS: readonly Day[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const dayNames = (): Record<Day, string> => ({ mon: t("mon"), tue: t("tue"), wed: t("wed"), thu: t("thu"), fri: t("fri"), sat: t("sat"), sun: t("sun") });
const ALL = ["on", "off", "swarm", "host"] as Engine[];

export interface PolicyFields {
  engines: readonly Engine[];
  programs: "any" | "none" | "some";
  /** The names of programs, where only some may be used. */
  names: string;
  longest: string;
  zone: string;
  windows: readonly WeeklyWindow[];
  /** The names of hosts with which it shares trials. */
  partners: string;
  /** Of the host on links to other hosts; the form keeps them, and does not change them. */
  addresses: PolicySettings["addresses"];
}

export function dayName(day: Day): string {
  return dayNames()[day];
}

/** The fields of a stored policy; `zone` is the time zone where it has no hours. */
export function fieldsOf({ engines, programs, longest_trial_s, hours, addresses, partners }: PolicySettings, zone: string): PolicyFields {
  return {
    engines: engines ?? ALL,
    programs: programs == null ? "any" : programs.length === 0 ? "none" : "some",
    names: (programs ?? []).join(", "),
    longest: longest_trial_s == null ? "" : String(longest_trial_s),
    zone: hours?.time_zone ?? zone,
    windows: hours?.windows ?? [],
    partners: (partners ?? []).join(", "),
    addresses,
  };
}

/** The policy of the fields; the API says what is wrong with one. What is open of the network stays. */
export function policyOf(fields: PolicyFields, network: boolean): PolicySettings {
  const names = listed(fields.names);
  const partners = listed(fields.partners);
  return {
    engines: fields.engines.length === ALL.length ? null : [...fields.engines],
    host_network: network,
    programs: fields.programs === "any" ? null : fields.programs === "none" ? [] : names,
    longest_trial_s: fields.longest.trim() === "" ? null : Number(fields.longest),
    hours: fields.windows.length === 0 ? null : { time_zone: fields.zone.trim(), windows: fields.windows.map((window) => ({ ...window, days: [...window.days] })) },
    ...(partners.length === 0 ? {} : { partners }),
    ...(fields.addresses == null ? {} : { addresses: fields.addresses }),
  };
}

const listed = (text: string) => text.split(/[\s,]+/).filter(Boolean);

/** The policy as names and values, without what limits nothing. */
export function policyFacts({ engines, programs, longest_trial_s, hours, partners }: PolicySettings): (readonly [string, string])[] {
  const facts: (readonly [string, string])[] = [];
  if (engines != null) facts.push([t("daemons"), engines.map((engine) => engineNames()[engine]).join("; ")]);
  if (programs != null) facts.push([t("programs"), ["docker-proxy", ...programs].join(", ")]);
  if (longest_trial_s != null) facts.push([t("longestTrial"), formatDuration(longest_trial_s)]);
  if (partners != null) facts.push([t("partners"), partners.join(", ") || t("none")]);
  if (hours != null) facts.push([t("hours"), describeHours(hours)]);
  return facts;
}

export function describeHours({ windows, time_zone }: OpeningHours): string {
  return `${windows.map(({ days, opens, closes }) => t("openHours", { days: describeDays(days), opens, closes })).join("; ")} (${time_zone})`;
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
  return ranges.map((range) => (range.length > 2 ? t("dayRange", { first: dayName(range[0]!), last: dayName(range.at(-1)!) }) : range.map(dayName).join(", "))).join(", ");
}

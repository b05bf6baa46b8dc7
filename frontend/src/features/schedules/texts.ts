/** Words about schedules, and their times in any time zone. */
import type { Schedule, ScheduleDue } from "@/api/generated";
import { formatZonedTime } from "@/components/format";
import type { StateLabel } from "@/components/stateLabels";
import { messages } from "@/messages";
import { languageTag } from "@/messages/language";

const t = messages("schedules");

/** A time in a zone with the zone's name; the browser may not know a zone of the server. */
export function timeIn(time: string, zone: string): string {
  try {
    return new Intl.DateTimeFormat(languageTag(), { weekday: "short", year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone, timeZoneName: "short" }).format(new Date(time));
  } catch {
    return formatZonedTime(time);
  }
}

export function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function hostsOf({ hosts, host_label }: Pick<Schedule, "hosts" | "host_label">): string {
  return hosts ? hosts.join(", ") : t("withLabel", { label: host_label ?? "" });
}

/** The state of a time that was due. */
export function dueState({ outcome, late, times }: ScheduleDue): StateLabel {
  if (outcome === "started") return { glyph: "✓", word: late ? t("startedLate") : t("started"), tone: late ? "warn" : "good" };
  return { glyph: "✕", word: times > 1 ? `${t("missed")} · ${t("timesMissed", { count: times })}` : t("missed"), tone: "warn" };
}

/** Why nothing was started, with the host that it concerns and the server's words. */
export function dueReason({ reason, host, detail }: ScheduleDue): string {
  return [reason && t(`reason_${reason}`), host, detail].filter(Boolean).join(" · ");
}

/** The examples of expressions. */
export const examples = (): { value: string; label: string }[] => [
  { value: "0 2 * * *", label: t("everyNight") },
  { value: "0 2 * * mon-fri", label: t("workdays") },
  { value: "0 3 * * sun", label: t("weekly") },
  { value: "0 4 1 * *", label: t("monthly") },
];

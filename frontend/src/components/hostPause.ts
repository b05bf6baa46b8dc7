/** Why a host starts no trial, in words. Pure. */
import type { Host } from "@/api/generated";
import { messages } from "@/messages";
import { formatZonedTime } from "./format";
import { type StateLabel, label } from "./stateLabels";

const t = messages("waits");

export const PAUSES: Record<"drained" | "outside_hours", StateLabel> = {
  drained: label("◼", "pauseDrained", "warn"),
  outside_hours: label("◔", "pauseOutsideHours", "info"),
};

/** The sentence on a host that starts no queued trial; null while it starts them. */
export function describePause({ name, pause }: Pick<Host, "name" | "pause">): string | null {
  if (!pause) return null;
  if (pause.code === "outside_hours") return t("startsAgainAt", { host: name, at: formatZonedTime(pause.opens_at) });
  const at = formatZonedTime(pause.since);
  return pause.by ? t("wasDrainedBy", { host: name, by: pause.by, at }) : t("wasDrained", { host: name, at });
}

/** Why a host starts no trial, in words. Pure. */
import type { Host } from "@/api/generated";
import { formatTime } from "./format";
import type { StateLabel } from "./stateLabels";

export const PAUSES: Record<"drained" | "outside_hours", StateLabel> = {
  drained: { glyph: "◼", word: "drained", tone: "warn" },
  outside_hours: { glyph: "◔", word: "outside its hours", tone: "info" },
};

/** The sentence on a host that starts no queued trial; null while it starts them. */
export function describePause({ name, pause }: Pick<Host, "name" | "pause">): string | null {
  if (!pause) return null;
  if (pause.code === "outside_hours") return `${name} starts trials again at ${formatTime(pause.opens_at)}: its policy has hours.`;
  return `${name} was drained${pause.by ? ` by ${pause.by}` : ""} at ${formatTime(pause.since)}: it starts no new trial until an administrator of the installation resumes it.`;
}

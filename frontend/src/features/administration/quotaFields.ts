/** Fields of a team's own limits. Pure. */
import type { OwnLimits, TeamQuota } from "@/api/generated";
import { formatBytes, formatDuration, formatNumber } from "@/components/format";
import { messages } from "@/messages";

const t = messages("administration");

export const labels = (): Record<TeamQuota["quota"], string> => ({
  queued_trials: t("quotaTrials"),
  active_runs: t("quotaRuns"),
  host_seconds_per_day: t("quotaHost"),
  stored_bytes: t("quotaBytes"),
  open_streams: t("quotaStreams"),
  cells_per_plan: t("quotaCells"),
  seconds_per_trial: t("quotaTrial"),
});

/** The limit of the installation and the present use, below a field. */
export function hintOf({ default: limit, used, unit }: TeamQuota): string {
  const amount = (value: number) => (unit === "bytes" ? formatBytes(value) : unit === "s" ? formatDuration(value) : formatNumber(value));
  return used === null ? t("unlessSet", { limit: amount(limit) }) : t("usedUnlessSet", { used: amount(used), limit: amount(limit) });
}

/** The texts of the fields as limits: an empty one is the installation's. Null where one is no whole number. */
export function limitsOf(texts: Readonly<Record<string, string>>): OwnLimits | null {
  const found: Record<string, number | null> = {};
  for (const [quota, text] of Object.entries(texts)) {
    if (!/^\d*$/.test(text.trim())) return null;
    found[quota] = text.trim() === "" ? null : Number(text);
  }
  return found;
}

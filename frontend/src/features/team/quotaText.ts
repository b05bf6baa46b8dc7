/** Words and figures of quotas. Pure. */
import type { QuotaUse } from "@/api/generated";
import { formatBytes, formatDuration, formatNumber, formatPercent } from "@/components/format";
import { messages } from "@/messages";

const t = messages("team");

type Name = QuotaUse["quota"];

export const quotas = (): Record<Name, { label: string; about: string }> => ({
  queued_trials: { label: t("queuedTrials"), about: t("queuedTrialsAbout") },
  active_runs: { label: t("activeRuns"), about: t("activeRunsAbout") },
  host_seconds_per_day: { label: t("hostTime"), about: t("hostTimeAbout") },
  stored_bytes: { label: t("storage"), about: t("storageAbout") },
  open_streams: { label: t("openStreams"), about: t("openStreamsAbout") },
  cells_per_plan: { label: t("cellsPerPlan"), about: t("cellsPerPlanAbout") },
  seconds_per_trial: { label: t("trialTime"), about: t("trialTimeAbout") },
});

/** An amount of a quota with its unit. */
export function amountOf(unit: string, amount: number): string {
  if (unit === "bytes") return formatBytes(amount);
  return unit === "s" ? formatDuration(amount) : formatNumber(amount);
}

/** The tone of a use: from three quarters on it deserves attention, from 95 % on the next run may be refused. */
export function toneOf(used: number, limit: number): "accent" | "warn" | "bad" {
  if (used >= 0.95 * limit) return "bad";
  return used >= 0.75 * limit ? "warn" : "accent";
}

/** The used share of a quota. */
export function shareOf(used: number, limit: number): string {
  if (limit <= 0) return t("noneLeft");
  const share = used / limit;
  return share > 0 && share < 0.001 ? t("under01") : t("shareUsed", { share: formatPercent(share) });
}

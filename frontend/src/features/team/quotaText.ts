/** Words and figures of quotas. Pure. */
import type { QuotaUse } from "@/api/generated";
import { formatBytes, formatDuration, formatNumber, formatPercent } from "@/components/format";

type Name = QuotaUse["quota"];

export const QUOTAS: Record<Name, { label: string; about: string }> = {
  queued_trials: { label: "Queued trials", about: "that wait for a worker" },
  active_runs: { label: "Active runs", about: "that have not ended" },
  host_seconds_per_day: { label: "Host time", about: "of the last 24 h, and the estimate for all that still has to run" },
  stored_bytes: { label: "Storage", about: "experiments, plans, trials, results with raw output, and events" },
  open_streams: { label: "Open event streams", about: "pages and scripts that follow a run" },
  cells_per_plan: { label: "Cells of one plan", about: "A/A duplicates counted" },
  seconds_per_trial: { label: "Time of one trial", about: "window and warm-up" },
};

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
  if (limit <= 0) return "none left";
  const share = used / limit;
  return share > 0 && share < 0.001 ? "less than 0.1 % used" : `${formatPercent(share)} used`;
}

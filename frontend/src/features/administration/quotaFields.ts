/** Fields of a team's own limits. Pure. */
import type { OwnLimits, TeamQuota } from "@/api/generated";
import { formatBytes, formatDuration, formatNumber } from "@/components/format";

export const LABELS: Record<TeamQuota["quota"], string> = {
  queued_trials: "Queued trials",
  active_runs: "Active runs",
  host_seconds_per_day: "Host time in 24 h, s",
  stored_bytes: "Storage, bytes",
  open_streams: "Open event streams",
  cells_per_plan: "Cells of one plan",
  seconds_per_trial: "Time of one trial, s",
};

/** The limit of the installation and the present use, below a field. */
export function hintOf({ default: limit, used, unit }: TeamQuota): string {
  const amount = (value: number) => (unit === "bytes" ? formatBytes(value) : unit === "s" ? formatDuration(value) : formatNumber(value));
  return `${used === null ? "" : `${amount(used)} used; `}${amount(limit)} unless set`;
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

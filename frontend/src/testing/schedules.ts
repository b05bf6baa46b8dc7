/** Schedules and times that were due for tests. */
import type { Schedule, ScheduleDue } from "@/api/generated";

const AT = "2026-11-20T01:00:00.000Z";

/** Returns a time that was due and started a run; a higher number is newer. */
export function due(number: number, changes: Partial<ScheduleDue> = {}): ScheduleDue {
  const at = `2026-11-${10 + number}T01:00:00.000Z`;
  return { id: `due_${number}`, due_at: at, at, outcome: "started", reason: null, detail: "", host: null, times: 1, late: false, waits_until: null, run_id: `run_${number}`, group_id: null, ...changes };
}

/** What the server wrote when it paused a schedule whose time zone it no longer knows. */
export const UNKNOWN_ZONE = due(3, {
  outcome: "missed",
  reason: "refused",
  run_id: null,
  detail: "this server knows no time zone Mars/Olympus: choose another one; the schedule is paused",
  detail_message: { id: "reasons:zoneGonePaused", figures: { zone: "Mars/Olympus" } },
});

export function schedule(changes: Partial<Schedule> = {}): Schedule {
  return {
    id: "sch_1", experiment_id: "exp_1", name: "nightly", title: "Nightly", cron: "0 2 * * *", time_zone: "Europe/Berlin", next_times: [AT], enabled: true,
    hosts: ["bench-1"], host_label: null, client_host: null, account: "Ada", created_at: AT, last: null, ...changes,
  };
}

/** A small server for the test of roles: every page has data, and every request that changes something is refused. */
import { chartModel } from "@/testing/chartModel";
import { HOSTS_RESULT, RUN_GROUP } from "@/testing/hostsResult";
import { noiseOf } from "@/testing/hosts";
import { refusal, type SentRequest } from "@/testing/server";
import { VOCABULARY } from "@/testing/vocabulary";
import type { Session } from "@/api/generated";

const AT = "2026-11-22T10:00:00Z";
const PROGRESS = { total: 10, done: 10, failed: 0, running: 0, cancelled: 0, skipped: 0, spared: 0, eta_s: null };
const RUN = { id: "run_1", experiment_id: "exp_1", name: "n", title: "A run", state: "done", host: "bench-1", origin: "measured", progress: PROGRESS, current: null, seed: 1, created_at: AT, started_at: AT, finished_at: AT, cancel_requested: false, note: "a note", tags: ["ci"] };
const DOCUMENT = { name: "two", title: "Two", factors: { path: ["same_container", "published_loopback"], userland_proxy: [true], tool: ["pgbench"], service: ["postgres"] }, rounds: 10, seed: 1, baseline: { path: "same_container" }, metrics: ["tps"], margin: 0.05 };
const TRIAL = { id: "trl_1", run_id: "run_1", cell_id: "c1", round: 1, position: 1, seq: 1, state: "done", failure_code: null, failure_detail: null, attempts: 1, started_at: AT, finished_at: AT, metrics: { tps: 1000 }, evidence_verdict: null };
const DETAIL = {
  ...TRIAL, run_title: "A run", cell_label: "same_container", cell_levels: { tool: "pgbench" }, record: null, history: [], excluded: null, exclusions: [],
  imported: { origin: "imported", trial_id: "trl_1", tool: "pgbench", metrics: { tps: 1000 }, latency_measured: true, transactions: 1, failed_transactions: 0, versions: {}, warnings: [], stdout: "", stderr: "" },
};
const HOST = { id: "hst_1", name: "bench-1", online: true, last_seen_at: AT, capabilities: { paths: ["same_container"], engines: ["on", "host"], reasons: {} }, cannot: [], environment: {}, conditions: [], host_network: true };
const HOST_DETAIL = { ...HOST, access: "joined" as const, release: { worker: "0.1.0", server: "0.1.0", state: "same" }, queue: { queued_trials: 2, running_trials: 0, runs: [], other_runs: 1 }, current: null, noise: noiseOf() };
const SHARE = { id: "shr_1", run_id: "run_1", run_title: "A run", kind: "private", mode: "snapshot", title: null, created_by: "Ada", state: "open", opens: 1, last_used_at: AT, created_at: AT, expires_at: AT };
const HOOK = { id: "whk_1", url: "https://example.org", description: "chat", events: ["run.completed"], created_at: AT, failing_since: null, disabled_at: null, disabled_reason: null };
const DELIVERY = { id: "msg_1", type: "run.completed", run_id: "run_1", state: "failed", attempts: 1, created_at: AT, next_at: null, last_at: AT, last_status: 500, last_error: null, last_answer: "", last_seconds: 1, history: [], body: "{}" };
const MEMBERS = [{ account_id: "acc_2", name: "Bob", email: null, role: "runner", disabled: false, joined_at: AT }];
const INVITATIONS = [{ id: "lnk_1", role: "viewer", email: null, created_by: "Ada", created_at: AT, expires_at: AT }];
const CELL = { id: "c1", label: "same_container", levels: { path: "same_container" }, is_baseline: true, is_duplicate: false, baseline_id: null, infeasible: null };
const PLAN = { experiment: DOCUMENT, hops: {}, plan: { cells: [CELL], trials: [{ seq: 1, round: 1, position: 1, cell_id: "c1" }], estimate: { trials: 10, seconds: 20, window_seconds: 10, deployments: 1 }, varied: ["path"], warnings: [] } };
const SCHEDULE = { id: "sch_1", experiment_id: "exp_1", name: "two", title: "Two", cron: "0 2 * * *", time_zone: "UTC", next_times: [AT], enabled: true, hosts: ["bench-1"], host_label: null, client_host: null, account: "Ada", created_at: AT, last: null };
const PAGE = (data: readonly unknown[]) => ({ data, next_cursor: null });

/** The answers to reading requests, by the end of their path. */
const READ: readonly (readonly [RegExp, unknown])[] = [
  [/\/runs$/, PAGE([RUN, { ...RUN, id: "run_2", title: "Another run", state: "running", finished_at: null }])],
  [/\/runs\/run_1$/, RUN],
  [/\/runs\/run_2$/, { ...RUN, id: "run_2", state: "running", finished_at: null }],
  [/\/run-groups\/grp_1\/result$/, HOSTS_RESULT],
  [/\/run-groups\/grp_1$/, RUN_GROUP],
  [/\/run-groups$/, PAGE([RUN_GROUP])],
  [/\/result$/, chartModel("measured")],
  [/\/runs\/run_1\/trials$/, { data: [TRIAL] }],
  [/\/runs\/run_2\/trials$/, { data: [] }],
  [/\/trials\/trl_1$/, DETAIL],
  [/\/runs\/run_\d\/shares$/, { data: [SHARE] }],
  [/\/shares$/, PAGE([SHARE])],
  [/\/hosts$/, { data: [HOST] }],
  [/\/hosts\/enrolments$/, { data: [{ id: "enr_1", prefix: "ple_ab", note: "", host_name: null, created_by: "Ada", created_at: AT, expires_at: AT, used_at: null, used_by: null, state: "open" }] }],
  [/\/hosts\/bench-1$/, HOST_DETAIL],
  [/\/factors$/, VOCABULARY],
  [/\/presets$/, { data: [{ name: "two-quick", study: null, title: "Two", summary: "", form: "quick", full_form: "two", definition: DOCUMENT, size: { cells: 1, trials: 2, seconds: 3 } }] }],
  [/\/schedules$/, { data: [SCHEDULE] }],
  [/\/schedules\/sch_1$/, SCHEDULE],
  [/\/schedules\/sch_1\/starts$/, PAGE([])],
  [/\/stars$/, { runs: [], experiments: [] }],
  [/\/members$/, { data: MEMBERS }],
  [/\/invitations$/, { data: INVITATIONS }],
  [/\/usage$/, { data: [] }],
  [/\/retention$/, { days: 30 }],
  [/\/retention:preview$/, { runs: 1, stored_bytes: 1, oldest_finished_at: AT, starred_runs: 0 }],
  [/\/webhooks$/, { data: [HOOK] }],
  [/\/deliveries$/, PAGE([DELIVERY])],
  [/\/audit$/, PAGE([])],
  [/\/(tokens|sessions)$/, { data: [] }],
];

/** Answers as a server where the account of this session is signed in. */
export function answerFor(session: Session): (request: SentRequest) => unknown {
  return ({ method, path }) => {
    if (path.endsWith("/session")) return session;
    if (path.endsWith("/events")) return new Response(new ReadableStream(), { headers: { "Content-Type": "text/event-stream" } });
    if (path.endsWith("/plans")) return PLAN;
    if (method !== "GET") return refusal(409, { title: "Conflict", detail: "not in this test", code: "conflict" });
    return READ.find(([end]) => end.test(path))?.[1];
  };
}

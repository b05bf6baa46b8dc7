/** Answers for tests of the page of a new experiment. */
import type { ExperimentDraft } from "@/api/draft";
import { refusal, type SentRequest } from "./server";

export const DOCUMENT: ExperimentDraft = {
  name: "two", title: "Two", factors: { path: ["same_container", "published_loopback"], userland_proxy: [true], clients: [5] },
  rounds: 10, seed: 1, baseline: { path: "same_container" }, metrics: ["tps"], margin: 0.05,
};
const REFUSED = { title: "Not allowed", detail: "See the fields.", status: 422, code: "invalid", errors: [{ pointer: "/factors/clients/0", code: "out_of_bounds", detail: "0 is not allowed; clients must be a whole number from 1 to 200" }] };

const RESOLUTION = { metric: "tps", spread: 0.021, pairs: 24, source: "24 A/A pairs of 3 runs on this host", comparisons: 3, smallest_effect: 0.041, rounds_for: [{ effect: 0.02, rounds: 40 }, { effect: 0.005, rounds: null }] };
const BUDGET = { minutes: 30, fits: true, rounds: 14, seconds: 1700, smallest_effect: 0.03, stopping: { every: 4, at_most: 26, budget_minutes: 30 }, first_interim_analysis: 6, first_look: 6, sentence: "14 rounds fit into 30 minutes." };

function cell(id: string, levels: Record<string, string>, more: object = {}) {
  return { id, label: levels["path"], levels, is_baseline: id === "c1", is_duplicate: false, baseline_id: id === "c1" ? null : "c1", infeasible: null, ...more };
}

/** Answers the requests of the page of a new experiment. */
export function answer({ path, body: written }: SentRequest): unknown {
  const body = written as ExperimentDraft;
  if (path.endsWith("/hosts")) return { data: [{ id: "hst_1", name: "bench-1", online: true, last_seen_at: "", capabilities: { paths: ["same_container", "published_loopback"] }, cannot: [{ kind: "path", name: "macvlan", setting: null, reason: "no macvlan in the kernel" }], environment: {} }] };
  if (path.endsWith("/experiments")) return { id: "exp_1", name: body.name, title: body.title, definition: body, created_at: "" };
  if (path.endsWith("/runs")) return { id: "run_1" };
  const clients = body.factors["clients"];
  if (Array.isArray(clients) && clients[0] === 0) return refusal(422, REFUSED);
  if (body.thresholds?.includes("bad")) return refusal(422, { ...REFUSED, errors: [{ pointer: "/thresholds/1", code: "bad_threshold", detail: "write METRIC OP NUMBER" }] });
  const stopping = body.stopping ? { interim_rounds: [body.rounds, body.stopping.at_most] } : {};
  const cells = [cell("c1", { path: "same_container" }), cell("c2", { path: "published_loopback" }, { infeasible: "the host has no bridge" })];
  return { experiment: body, hops: { c1: ["loopback", "docker-proxy"] }, resolution: RESOLUTION, budget: BUDGET, plan_digest: "d".repeat(64), plan: { ...stopping, cells, trials: [{ seq: 1, round: 1, position: 1, cell_id: "c1" }, { seq: 2, round: 2, position: 1, cell_id: "c1" }], estimate: { trials: 10, seconds: 200, window_seconds: 100, deployments: 1, containers: 4, memory_bytes: 1_400_000_000 }, varied: ["path"], warnings: ["Only one cell can run."] } };
}

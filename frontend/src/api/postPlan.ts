import { request } from "./client";
import type { ExperimentDocument, PlanAnswer } from "./types";

/** The plan of a document, for one host's capabilities where a host is named. Starts nothing. */
export function postPlan(document: ExperimentDocument, host?: string, signal?: AbortSignal): Promise<PlanAnswer> {
  const query = host ? `?host=${encodeURIComponent(host)}` : "";
  return request<PlanAnswer>(`/plans${query}`, { method: "POST", body: document, ...(signal ? { signal } : {}) });
}

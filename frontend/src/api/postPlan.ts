import { request } from "./client";
import type { ExperimentDocument, PlanAnswer } from "./types";

/** The plan of a document, for one host's capabilities where a host is named. Starts nothing. */
export function postPlan(document: ExperimentDocument, host?: string, signal?: AbortSignal, budgetMinutes?: number): Promise<PlanAnswer> {
  const query = new URLSearchParams({ ...(host && { host }), ...(budgetMinutes !== undefined && { budget_minutes: String(budgetMinutes) }) }).toString();
  return request<PlanAnswer>(`/plans${query ? `?${query}` : ""}`, { method: "POST", body: document, ...(signal ? { signal } : {}) });
}

import { request } from "./client";
import type { Run } from "./types";

/** Queues a run; the same key again gives the same run. */
export function postRun(experimentId: string, host: string | undefined, key: string): Promise<Run> {
  return request<Run>(`/experiments/${experimentId}/runs`, {
    method: "POST",
    body: host ? { host } : {},
    headers: { "Idempotency-Key": key },
  });
}

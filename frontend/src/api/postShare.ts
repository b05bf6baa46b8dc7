import { request } from "./client";
import type { Share } from "./types";

export function postShare(runId: string, days: number): Promise<Share> {
  return request<Share>(`/runs/${runId}/shares`, { method: "POST", body: { expires_in_days: days } });
}

import type { ChartModel } from "./chart";
import { LONG_LIMIT_MS, request } from "./client";

export function getResult(runId: string): Promise<ChartModel> {
  return request<ChartModel>(`/runs/${runId}/result`, { limitMs: LONG_LIMIT_MS });
}

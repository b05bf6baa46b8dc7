import type { ChartModel } from "./chart";
import { request } from "./client";

export function getResult(runId: string): Promise<ChartModel> {
  return request<ChartModel>(`/runs/${runId}/result`);
}

import { request } from "./client";
import type { Trial } from "./types";

export async function getTrials(runId: string, cellId?: string): Promise<Trial[]> {
  const query = cellId ? `?cell=${encodeURIComponent(cellId)}` : "";
  return (await request<{ data: Trial[] }>(`/runs/${runId}/trials${query}`)).data;
}

import { request } from "./client";
import type { ShareEntry } from "./types";

/** The share links of a run, newest first, without their tokens. */
export async function getShares(runId: string): Promise<ShareEntry[]> {
  return (await request<{ data: ShareEntry[] }>(`/runs/${runId}/shares`)).data;
}

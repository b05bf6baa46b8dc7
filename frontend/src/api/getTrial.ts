import { request } from "./client";
import type { TrialDetail } from "./types";

export function getTrial(id: string): Promise<TrialDetail> {
  return request<TrialDetail>(`/trials/${id}`);
}

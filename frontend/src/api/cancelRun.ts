import { request } from "./client";
import type { Run } from "./types";

export function cancelRun(id: string): Promise<Run> {
  return request<Run>(`/runs/${id}:cancel`, { method: "POST" });
}

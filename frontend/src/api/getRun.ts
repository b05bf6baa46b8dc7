import { request } from "./client";
import type { Run } from "./types";

export function getRun(id: string): Promise<Run> {
  return request<Run>(`/runs/${id}`);
}

import { request } from "./client";
import type { RunList } from "./generated";

export function getRuns(limit: number, cursor?: string): Promise<RunList> {
  const more = cursor ? `&cursor=${encodeURIComponent(cursor)}` : "";
  return request<RunList>(`/runs?limit=${limit}${more}`);
}

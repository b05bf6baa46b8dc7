import { request } from "./client";

export function deleteShare(id: string): Promise<void> {
  return request<void>(`/shares/${id}`, { method: "DELETE" });
}

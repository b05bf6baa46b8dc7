import { LONG_LIMIT_MS, request } from "./client";
import type { SharedResult } from "./generated";

/** The frozen result behind a share token: 404 unknown, 410 revoked or expired. */
export function openShare(token: string): Promise<SharedResult> {
  return request<SharedResult>("/shares:open", { method: "POST", body: { token }, limitMs: LONG_LIMIT_MS });
}

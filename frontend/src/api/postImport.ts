import { LONG_LIMIT_MS, request } from "./client";
import type { ImportStart, Run } from "./types";

/** Old tool output as a run; refusals name their field below /experiment or /logs. The same key again gives the same run. */
export function postImport(start: ImportStart, key: string): Promise<Run> {
  return request<Run>("/imports", { method: "POST", body: start, headers: { "Idempotency-Key": key }, limitMs: LONG_LIMIT_MS });
}

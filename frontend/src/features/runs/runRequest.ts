/** The requests for what the page of a run shows, for scripts. Pure. */
import type { CodeRequest } from "@/components/requestCode";

/** The run with its progress, or its result. */
export type RunPart = "run" | "result";

/** Returns the request that the page itself sends. */
export function runRequest(runId: string, part: RunPart): Omit<CodeRequest, "origin"> {
  const path = `/api/v1/runs/${encodeURIComponent(runId)}`;
  return { method: "GET", path: part === "result" ? `${path}/result` : path };
}

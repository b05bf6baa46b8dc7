import type { ChartCell } from "./chart";
import { LONG_LIMIT_MS, request } from "./client";

/** One cell of a result, whole: of a very large result the other answer leaves figures out. */
export function getResultCell(runId: string, cellId: string): Promise<ChartCell> {
  return request<ChartCell>(`/runs/${runId}/result/cells/${encodeURIComponent(cellId)}`, { limitMs: LONG_LIMIT_MS });
}

import type { ChartCell } from "./chart";
import { request } from "./client";

/** One cell of a result, whole: of a very large result the other answer leaves figures out. */
export function getResultCell(runId: string, cellId: string): Promise<ChartCell> {
  return request<ChartCell>(`/runs/${runId}/result/cells/${encodeURIComponent(cellId)}`);
}

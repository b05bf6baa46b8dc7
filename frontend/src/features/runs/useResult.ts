import { useQuery } from "@tanstack/react-query";
import type { ChartModel } from "@/api/chart";
import { getResult } from "@/api/getResult";
import { keys } from "@/api/queryKeys";
import { isTerminal } from "@/api/streamRun";

export const RESULT_POLL_MS = 5000;

/** Whether a result still changes: it says itself of which state of the run it is. */
export function isProvisional(model: ChartModel | undefined): boolean {
  return model !== undefined && !isTerminal(model.state);
}

/** A run's result: kept for ever once it is that of a run that ended; with `poll`, asked for again until then. */
export function useResult(runId: string, { enabled = true, poll = true }: { enabled?: boolean; poll?: boolean } = {}) {
  return useQuery({
    queryKey: keys.result(runId),
    queryFn: () => getResult(runId),
    enabled,
    staleTime: (query) => (query.state.data && !isProvisional(query.state.data) ? Infinity : 0),
    refetchInterval: (query) => (poll && isProvisional(query.state.data) ? RESULT_POLL_MS : false),
  });
}

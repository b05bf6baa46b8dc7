import { useQuery } from "@tanstack/react-query";
import type { ChartModel } from "@/api/generated";
import { queries } from "@/api/queries";
import { isTerminal } from "@/api/states";

export const RESULT_POLL_MS = 5000;

/** Whether a result still changes: it says itself of which state of the run it is. */
export function isProvisional(model: ChartModel | undefined): boolean {
  return model !== undefined && !isTerminal(model.state);
}

/** A run's result: kept for ever once it is that of a run that ended; with `poll`, asked for again until then. */
export function useResult(runId: string, { enabled = true, poll = true }: { enabled?: boolean; poll?: boolean } = {}) {
  return useQuery({
    ...queries.result(runId),
    enabled,
    staleTime: (query) => (query.state.data && !isProvisional(query.state.data) ? Infinity : 0),
    refetchInterval: (query) => (poll && isProvisional(query.state.data) ? RESULT_POLL_MS : false),
  });
}

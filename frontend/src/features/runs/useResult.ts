import { useQuery } from "@tanstack/react-query";
import type { ChartModel } from "@/api/generated";
import { queries } from "@/api/queries";
import { isTerminal } from "@/api/states";

export const RESULT_POLL_MS = 5000;

/** Whether a result was computed before the run ended. */
export function isProvisional(model: ChartModel | undefined): boolean {
  return model !== undefined && !isTerminal(model.state);
}

/** The query of a run's result. A final result is cached for ever; with `poll`, a provisional one is requested repeatedly. */
export function useResult(runId: string, { enabled = true, poll = true }: { enabled?: boolean; poll?: boolean } = {}) {
  return useQuery({
    ...queries.result(runId),
    enabled,
    staleTime: (query) => (query.state.data && !isProvisional(query.state.data) ? Infinity : 0),
    refetchInterval: (query) => (poll && isProvisional(query.state.data) ? RESULT_POLL_MS : false),
  });
}

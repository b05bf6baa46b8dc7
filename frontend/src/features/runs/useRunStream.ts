import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { queries, RUNS } from "@/api/queries";
import { isTerminal } from "@/api/states";
import { streamRun } from "@/api/streamRun";
import type { Run, Trial } from "@/api/generated";
import { patchLive, patchRun, patchTrials, type Live } from "./patch";

/** Minimum time between two requests of a provisional result; the server does not compute it more often. */
export const RESULT_EVERY_MS = 5000;
/** Delay after a trial: the request is then answered while the next trial is prepared, outside of measured windows. */
const SETTLED_MS = 300;

/** Applies the events of an active run to the cache. Returns its live figures and whether the stream is interrupted. */
export function useRunStream(runId: string, active: boolean): { live: Live | null; lost: boolean } {
  const client = useQueryClient();
  const [live, setLive] = useState<Live | null>(null);
  const [lost, setLost] = useState(false);
  useEffect(() => {
    if (!active) return;
    let due: ReturnType<typeof setTimeout> | undefined;
    const invalidate = (key: readonly string[]) => void client.invalidateQueries({ queryKey: key });
    let stale = false;
    let requestedAt = -Infinity;
    const resultNow = () => {
      clearTimeout(due);
      due = undefined;
      stale = document.hidden;
      if (stale) return;
      requestedAt = Date.now();
      invalidate(queries.result(runId).queryKey);
    };
    const resultSoon = () => {
      due ??= setTimeout(resultNow, Math.max(SETTLED_MS, requestedAt + RESULT_EVERY_MS - Date.now()));
    };
    const onVisible = () => {
      if (stale && !document.hidden) resultNow();
    };
    document.addEventListener("visibilitychange", onVisible);
    // The cached run includes the events up to its `last_event_id`.
    const after = client.getQueryData<Run>(queries.run(runId).queryKey)?.last_event_id;
    const stop = streamRun(runId, {
      run: (event) => {
        client.setQueryData<Run>(queries.run(runId).queryKey, (known) => patchRun(known, event));
        if (!isTerminal(event.state)) return;
        setLive(null);
        [queries.result(runId).queryKey, queries.trials(runId).queryKey, RUNS].forEach(invalidate);
      },
      trial: (event) => {
        const trials = client.getQueryData<Trial[]>(queries.trials(runId).queryKey);
        const patched = trials && patchTrials(trials, event);
        if (patched) client.setQueryData(queries.trials(runId).queryKey, patched);
        else invalidate(queries.trials(runId).queryKey);
        if (event.state !== "running") resultSoon();
      },
      live: (event) => setLive((known) => patchLive(known, event)),
      status: (status) => setLost(status === "lost"),
    }, after);
    return () => {
      clearTimeout(due);
      document.removeEventListener("visibilitychange", onVisible);
      stop();
    };
  }, [client, runId, active]);
  return { live: active ? live : null, lost: active && lost };
}

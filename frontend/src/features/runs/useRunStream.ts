import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { queries, RUNS } from "@/api/queries";
import { isTerminal } from "@/api/states";
import { streamRun } from "@/api/streamRun";
import type { Run, Trial } from "@/api/generated";
import { patchLive, patchRun, patchTrials, type Live } from "./patch";

/** The server computes a running result no more often for all pages together. */
export const RESULT_EVERY_MS = 5000;
/** So long after a trial the next one is made ready: an answer is new then, and disturbs no measured window. */
const SETTLED_MS = 300;

/** Follows a run's events while it is active: patches the cache, and gives what is live and whether the stream holds. */
export function useRunStream(runId: string, active: boolean): { live: Live | null; lost: boolean } {
  const client = useQueryClient();
  const [live, setLive] = useState<Live | null>(null);
  const [lost, setLost] = useState(false);
  useEffect(() => {
    if (!active) return;
    let due: ReturnType<typeof setTimeout> | undefined;
    const invalidate = (key: readonly string[]) => void client.invalidateQueries({ queryKey: key });
    let unseen = false;
    let asked = -Infinity;
    const resultNow = () => {
      clearTimeout(due);
      due = undefined;
      unseen = document.hidden;
      if (unseen) return;
      asked = Date.now();
      invalidate(queries.result(runId).queryKey);
    };
    const resultSoon = () => {
      due ??= setTimeout(resultNow, Math.max(SETTLED_MS, asked + RESULT_EVERY_MS - Date.now()));
    };
    const seen = () => {
      if (unseen && !document.hidden) resultNow();
    };
    document.addEventListener("visibilitychange", seen);
    // The run was read before: its events until then are in it already.
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
      document.removeEventListener("visibilitychange", seen);
      stop();
    };
  }, [client, runId, active]);
  return { live: active ? live : null, lost: active && lost };
}

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { keys } from "@/api/queryKeys";
import { isTerminal, streamRun } from "@/api/streamRun";
import type { Run, Trial } from "@/api/types";
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
      invalidate(keys.result(runId));
    };
    const resultSoon = () => {
      due ??= setTimeout(resultNow, Math.max(SETTLED_MS, asked + RESULT_EVERY_MS - Date.now()));
    };
    const seen = () => {
      if (unseen && !document.hidden) resultNow();
    };
    document.addEventListener("visibilitychange", seen);
    // The run was read before: its events until then are in it already.
    const after = client.getQueryData<Run>(keys.run(runId))?.last_event_id;
    const stop = streamRun(runId, {
      run: (event) => {
        client.setQueryData<Run>(keys.run(runId), (known) => patchRun(known, event));
        if (!isTerminal(event.state)) return;
        setLive(null);
        [keys.result(runId), keys.trials(runId), keys.runs].forEach(invalidate);
      },
      trial: (event) => {
        const trials = client.getQueryData<Trial[]>(keys.trials(runId));
        const patched = trials && patchTrials(trials, event);
        if (patched) client.setQueryData(keys.trials(runId), patched);
        else invalidate(keys.trials(runId));
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

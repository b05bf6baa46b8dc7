import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { queries, RUNS } from "@/api/queries";
import { isTerminal } from "@/api/states";
import { streamRun } from "@/api/streamRun";
import type { Matrix, PhaseEvent, Run, TrialEvent } from "@/api/generated";
import type { MatrixStore } from "./matrixStore";
import { patchLive, patchRecent, patchRun, type Live } from "./patch";

/** Minimum time between two requests of a provisional result; the server does not compute it more often. */
export const RESULT_EVERY_MS = 5000;
/** Delay after a trial: the request is then answered while the next trial is prepared, outside of measured windows. */
const SETTLED_MS = 300;

export interface RunStream {
  live: Live | null;
  /** What happens to the running trial outside of its window; null inside it. */
  phase: PhaseEvent | null;
  /** The trials that started or ended since the page was opened, newest first. */
  recent: readonly TrialEvent[];
  lost: boolean;
}

/**
 * Applies the events of an active run to the cache and to its matrix. Returns its live figures, and whether the stream is interrupted.
 *
 * The provisional result is requested again only while it is `read`: not in a hidden tab, nor where it is far outside of the visible part.
 */
export function useRunStream(runId: string, active: boolean, matrix: MatrixStore, read = true): RunStream {
  const client = useQueryClient();
  const [live, setLive] = useState<Live | null>(null);
  const [recent, setRecent] = useState<readonly TrialEvent[]>([]);
  const [phase, setPhase] = useState<PhaseEvent | null>(null);
  const [lost, setLost] = useState(false);
  const seen = useRef({ read, resume: () => undefined as void });
  useEffect(() => {
    seen.current.read = read;
    seen.current.resume();
  }, [read]);
  useEffect(() => {
    if (!active) return;
    const reader = seen.current;
    const isRead = () => reader.read && !document.hidden;
    let due: ReturnType<typeof setTimeout> | undefined;
    const invalidate = (key: readonly string[]) => void client.invalidateQueries({ queryKey: key });
    let stale = false;
    let requestedAt = -Infinity;
    const resultNow = () => {
      clearTimeout(due);
      due = undefined;
      stale = !isRead();
      if (stale) return;
      requestedAt = Date.now();
      invalidate(queries.result(runId).queryKey);
    };
    const resultSoon = () => {
      due ??= setTimeout(resultNow, Math.max(SETTLED_MS, requestedAt + RESULT_EVERY_MS - Date.now()));
    };
    const resume = () => {
      if (stale && isRead()) resultNow();
    };
    reader.resume = resume;
    document.addEventListener("visibilitychange", resume);
    // Run and matrix include the events up to their `last_event_id`; inside a measured window the server sends an older matrix.
    const included = [client.getQueryData<Run>(queries.run(runId).queryKey), client.getQueryData<Matrix>(queries.matrix(runId).queryKey)].flatMap((read) => read?.last_event_id ?? []);
    const after = included.length > 0 ? Math.min(...included) : null;
    let interrupted = false;
    const stop = streamRun(runId, {
      run: (event) => {
        client.setQueryData<Run>(queries.run(runId).queryKey, (known) => patchRun(known, event));
        if (!isTerminal(event.state)) return;
        setLive(null);
        [queries.result(runId).queryKey, queries.matrix(runId).queryKey, RUNS].forEach(invalidate);
      },
      trial: (event) => {
        matrix.apply(event);
        setPhase(null);
        setRecent((known) => patchRecent(known, event));
        if (event.state !== "running") resultSoon();
      },
      live: (event) => {
        setPhase(null);
        setLive((known) => patchLive(known, event));
      },
      phase: setPhase,
      status: (status) => {
        setLost(status === "lost");
        // The stream continues after its last event; what has no events is read again. Of a deleted run, the request is refused.
        if (status === "deleted" || (status === "open" && interrupted)) invalidate(queries.run(runId).queryKey);
        interrupted = status === "lost";
      },
    }, after);
    return () => {
      clearTimeout(due);
      reader.resume = () => undefined;
      document.removeEventListener("visibilitychange", resume);
      stop();
    };
  }, [client, runId, active, matrix]);
  return { live: active ? live : null, phase: active ? phase : null, recent, lost: active && lost };
}

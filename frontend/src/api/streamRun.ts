import { apiUrl } from "./client";
import { checkConnection } from "./connection";
import type { LiveEvent, Run, TrialEvent } from "./types";

export interface RunListener {
  run: (run: Run) => void;
  trial: (event: TrialEvent) => void;
  live: (event: LiveEvent) => void;
  status: (status: "open" | "lost") => void;
}

const TERMINAL = new Set(["done", "cancelled", "incomplete"]);
const RETRY_MS = 2000;

export function isTerminal(state: string): boolean {
  return TERMINAL.has(state);
}

/**
 * Follows a run until its terminal event; returns the function that stops it.
 *
 * Events up to `after`, the `last_event_id` of a run that was read, are left out. The browser resumes a
 * broken stream from the last event's id by itself; a refused one (the server restarts) is opened anew
 * after the last event seen.
 */
export function streamRun(runId: string, listener: RunListener, after?: number | null): () => void {
  let source: EventSource;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let seen = after ? String(after) : "";
  const open = () => {
    source = new EventSource(apiUrl(`/runs/${runId}/events${seen && `?after=${seen}`}`));
    const on = <T>(name: string, handle: (value: T) => void) =>
      source.addEventListener(name, (event) => {
        const { data, lastEventId } = event as MessageEvent<string>;
        seen = lastEventId || seen;
        handle(JSON.parse(data) as T);
      });
    on<Run>("run", (run) => {
      if (isTerminal(run.state)) source.close();
      listener.run(run);
    });
    on<TrialEvent>("trial", listener.trial);
    on<LiveEvent>("live", listener.live);
    source.addEventListener("open", () => listener.status("open"));
    source.addEventListener("error", () => {
      listener.status("lost");
      checkConnection();
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS);
    });
  };
  open();
  return () => {
    clearTimeout(retry);
    source.close();
  };
}

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
 * The browser resumes a broken stream from the last event's id by itself; a refused one (the
 * server restarts) is opened anew, and its events are replayed from the start.
 */
export function streamRun(runId: string, listener: RunListener): () => void {
  let source: EventSource;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    source = new EventSource(apiUrl(`/runs/${runId}/events`));
    const on = <T>(name: string, handle: (value: T) => void) =>
      source.addEventListener(name, (event) => handle(JSON.parse((event as MessageEvent<string>).data) as T));
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

import { checkConnection } from "./connection";
import type { LiveEvent, PhaseEvent, Run, StreamRunData, TrialEvent } from "./generated";
import { client } from "./generated/client.gen";
import { localized } from "@/messages/labels";
import { isTerminal } from "./states";

export interface RunListener {
  run: (run: Run) => void;
  trial: (event: TrialEvent) => void;
  live: (event: LiveEvent) => void;
  phase: (event: PhaseEvent) => void;
  status: (status: "open" | "lost") => void;
}

const RETRY_MS = 2000;

function eventsUrl(runId: string, after: number | null): string {
  return client.buildUrl<StreamRunData>({ baseUrl: "", url: "/api/v1/runs/{run_id}/events", path: { run_id: runId }, ...(after && { query: { after } }) });
}

/**
 * Listens to the events of a run until the terminal one; returns the function that stops it.
 *
 * Events up to `after`, the `last_event_id` of a run that was read, are left out. The browser resumes a
 * broken stream from the last event's id by itself, which the generated client's stream does not; a refused
 * one (the server restarts) is opened anew after the last event seen.
 */
export function streamRun(runId: string, listener: RunListener, after?: number | null): () => void {
  let source: EventSource;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let seen = after ?? null;
  const open = () => {
    source = new EventSource(eventsUrl(runId, seen));
    const on = <T>(name: string, handle: (value: T) => void) =>
      source.addEventListener(name, (event) => {
        const { data, lastEventId } = event as MessageEvent<string>;
        seen = Number(lastEventId) || seen;
        handle(JSON.parse(data) as T);
      });
    on<Run>("run", (run) => {
      if (isTerminal(run.state)) source.close();
      listener.run(run);
    });
    on<TrialEvent>("trial", listener.trial);
    on<LiveEvent>("live", listener.live);
    on<PhaseEvent>("phase", (event) => listener.phase(localized(event)));
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

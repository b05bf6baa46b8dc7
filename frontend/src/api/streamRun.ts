import { localized } from "@/messages/labels";
import { checkConnection } from "./connection";
import type { LiveEvent, PhaseEvent, Run, StreamRunData, TrialEvent } from "./generated";
import { client } from "./generated/client.gen";
import { readEvents, type ServerEvent } from "./serverEvents";
import { signedOut } from "./session";
import { isTerminal } from "./states";

export interface RunListener {
  run: (run: Run) => void;
  trial: (event: TrialEvent) => void;
  live: (event: LiveEvent) => void;
  phase: (event: PhaseEvent) => void;
  /** "deleted": the run does not exist any more, and the stream is not opened again. */
  status: (status: "open" | "lost" | "deleted") => void;
}

const RETRY_MS = 2000;
/** The server sends an event, or a comment as heartbeat, at least this often (KEEPALIVE_S of backend/api/runs/stream.py). */
export const HEARTBEAT_MS = 15_000;
/** Silence after which the connection is taken for lost; where the page was asleep, one heartbeat is enough. */
export const SILENT_MS = 3 * HEARTBEAT_MS;

const GONE: ReadonlySet<number> = new Set([404, 410]);

function eventsUrl(runId: string, after: number | null): string {
  return client.buildUrl<StreamRunData>({ baseUrl: window.location.origin, url: "/api/v1/runs/{run_id}/events", path: { run_id: runId }, ...(after && { query: { after } }) });
}

/**
 * Listens to the events of a run until the terminal one, or until the run is deleted; returns the function that stops it.
 *
 * Events up to `after`, the `last_event_id` of a run that was read, are left out. A stream that broke, was refused or
 * became silent is opened anew after the last event seen (Last-Event-ID): silence counts as lost after three heartbeats, and at once when
 * the page is shown again after one. A computer that is connected to a network again has lost its connections.
 */
export function streamRun(runId: string, listener: RunListener, after?: number | null): () => void {
  const url = eventsUrl(runId, after ?? null);
  const ended = new AbortController();
  let current = new AbortController();
  let retry: ReturnType<typeof setTimeout> | undefined;
  let heardAt = Date.now();
  let isWaiting = false;
  let lastEventId = "";

  const end = () => {
    ended.abort();
    current.abort();
    clearTimeout(retry);
    clearInterval(watch);
  };

  const handle = ({ event: name, data, id }: ServerEvent) => {
    if (id) lastEventId = id;
    if (name === "trial") listener.trial(JSON.parse(data) as TrialEvent);
    else if (name === "live") listener.live(JSON.parse(data) as LiveEvent);
    else if (name === "phase") listener.phase(localized(JSON.parse(data) as PhaseEvent));
    else if (name === "run") {
      const run = JSON.parse(data) as Run;
      if (isTerminal(run.state)) end();
      listener.run(run);
    }
  };

  const follow = async (signal: AbortSignal): Promise<void> => {
    const answer = await fetch(new Request(url, { headers: { Accept: "text/event-stream", ...(lastEventId && { "Last-Event-ID": lastEventId }) }, cache: "no-store" }), { signal });
    if (signal.aborted) return;
    if (GONE.has(answer.status)) {
      end();
      listener.status("deleted");
      return;
    }
    if (answer.status === 401) signedOut();
    if (!answer.ok || !answer.body || !answer.headers.get("Content-Type")?.startsWith("text/event-stream")) return;
    listener.status("open");
    const heard = () => !signal.aborted && (heardAt = Date.now());
    await readEvents(answer.body, heard, (event) => !signal.aborted && handle(event));
  };

  const lost = () => {
    current.abort();
    listener.status("lost");
    checkConnection();
  };

  const open = () => {
    clearTimeout(retry);
    isWaiting = false;
    heardAt = Date.now();
    const { signal } = (current = new AbortController());
    // A broken stream rejects, one that the server ends resolves.
    void follow(signal).catch(() => undefined).then(() => {
      if (signal.aborted) return;
      lost();
      isWaiting = true;
      retry = setTimeout(open, RETRY_MS);
    });
  };

  const renew = () => {
    if (!isWaiting) lost();
    open();
  };
  const renewIfSilent = (limitMs: number) => {
    if (isWaiting || Date.now() - heardAt > limitMs) renew();
  };
  const shown = () => {
    if (!document.hidden) renewIfSilent(HEARTBEAT_MS);
  };

  const watch = setInterval(() => !isWaiting && renewIfSilent(SILENT_MS), HEARTBEAT_MS);
  document.addEventListener("visibilitychange", shown, { signal: ended.signal });
  window.addEventListener("pageshow", shown, { signal: ended.signal });
  window.addEventListener("online", renew, { signal: ended.signal });
  open();
  return end;
}

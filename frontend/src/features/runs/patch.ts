/** Applies events of a run to cached values. Pure: old value and event in, new value out. */
import { endedTrials, isTerminal } from "@/api/states";
import type { LiveEvent, Run, TrialEvent } from "@/api/generated";
import { messages } from "@/messages";

const t = messages("runs");

interface LivePoint {
  trialId: string;
  cellId: string;
  t: number;
  /** In the unit of the tool's rate. */
  rate: number;
}

export type LiveCores = NonNullable<LiveEvent["cores"]>;

export interface Live {
  /** The last seconds, also of previous trials. */
  points: LivePoint[];
  trialId: string;
  cellId: string;
  cores: LiveCores | null;
}

const KEPT = 90;
const RECENT = 40;

/** Puts the newest trial first; its earlier event is dropped. */
export function patchRecent(recent: readonly TrialEvent[], event: TrialEvent): TrialEvent[] {
  return [event, ...recent.filter(({ trial_id }) => trial_id !== event.trial_id)].slice(0, RECENT);
}

/** The newest trials: those of events since the page was loaded, then those that the server knew before. */
export function withEarlier(recent: readonly TrialEvent[], earlier: readonly TrialEvent[]): TrialEvent[] {
  const known = new Set(recent.map(({ trial_id }) => trial_id));
  return [...recent, ...earlier.filter(({ trial_id }) => !known.has(trial_id))].slice(0, RECENT);
}

/** Appends a second; a late one is dropped. The CPU reading of a previous trial is not kept. */
export function patchLive(live: Live | null, event: LiveEvent): Live {
  const known = live?.points ?? [];
  const last = known.at(-1);
  const late = last?.trialId === event.trial_id && event.t <= last.t;
  const points = late ? known : [...known, { trialId: event.trial_id, cellId: event.cell_id, t: event.t, rate: event.rate }].slice(-KEPT);
  return { points, trialId: event.trial_id, cellId: event.cell_id, cores: event.cores ?? (live?.trialId === event.trial_id ? live.cores : null) };
}

/** Returns the newer of two states of one run: a replayed event is older than the cached state. */
export function patchRun(known: Run | undefined, event: Run): Run {
  if (!known) return event;
  const ended = (run: Run) => run.finished_at !== null;
  if (ended(known) && !ended(event)) return known;
  if (endedTrials(event.progress) < endedTrials(known.progress)) return known;
  // Events carry neither note nor tags.
  const { note, tags } = known;
  return note === undefined || tags === undefined ? event : { ...event, note, tags };
}

/** Returns the title of the browser tab: the run's title with its progress, or after the answer of the ended run. */
export function runTitle(run: Run, answer: string | null = null): string {
  if (answer !== null && isTerminal(run.state)) return t("tabEnded", { answer, title: run.title });
  if (run.state === "running") return t("tabRunning", { done: endedTrials(run.progress), total: run.progress.total, title: run.title });
  return run.state === "queued" ? t("tabQueued", { title: run.title }) : run.title;
}

/** What an event of a run changes in the cache. Pure: old value and event in, new value out. */
import { endedTrials, isOpen } from "@/api/states";
import type { LiveEvent, Run, Trial, TrialEvent } from "@/api/generated";

interface LivePoint {
  trialId: string;
  t: number;
  /** In the unit of the rate of the cell's tool. */
  rate: number;
}

export type LiveCores = NonNullable<LiveEvent["cores"]>;

export interface Live {
  /** The last seconds, over trials. */
  points: LivePoint[];
  trialId: string;
  cellId: string;
  cores: LiveCores | null;
}

const KEPT = 90;

/** The trials with one changed; null for an event of a trial that the list does not hold. */
export function patchTrials(trials: readonly Trial[], event: TrialEvent): Trial[] | null {
  if (!trials.some((trial) => trial.id === event.trial_id)) return null;
  // Events are replayed when a stream begins: what is over stays over.
  return trials.map((trial) =>
    trial.id === event.trial_id && isOpen(trial.state)
      ? { ...trial, state: event.state, metrics: event.metrics ?? trial.metrics, failure_code: event.failure_code }
      : trial,
  );
}

/** The last seconds with one more; a late second is dropped, and another trial has no CPU reading yet. */
export function patchLive(live: Live | null, event: LiveEvent): Live {
  const known = live?.points ?? [];
  const last = known.at(-1);
  const late = last?.trialId === event.trial_id && event.t <= last.t;
  const points = late ? known : [...known, { trialId: event.trial_id, t: event.t, rate: event.rate }].slice(-KEPT);
  return { points, trialId: event.trial_id, cellId: event.cell_id, cores: event.cores ?? (live?.trialId === event.trial_id ? live.cores : null) };
}

/** The newer of two states of one run: a replayed event never takes the page back. */
export function patchRun(known: Run | undefined, event: Run): Run {
  if (!known) return event;
  const ended = (run: Run) => run.finished_at !== null;
  if (ended(known) && !ended(event)) return known;
  return endedTrials(event.progress) < endedTrials(known.progress) ? known : event;
}

/** The tab's title of a run: its progress while it runs. */
export function runTitle(run: Run): string {
  if (run.state === "running") return `${endedTrials(run.progress)}/${run.progress.total} ${run.title}`;
  return run.state === "queued" ? `queued: ${run.title}` : run.title;
}

/** An experiment while it is edited: it may hold any level, and the server validates it. */
import type { Experiment, ExperimentDocument, Quality, Stopping } from "./generated";

export type Level = string | number | boolean;
export type Levels = Record<string, Level>;

/** Cells that have one of these levels of every named factor. */
export type Rule = Record<string, Level[] | Level>;

/** Levels as a rule that the server expands: 1000, 2000 … 8000, or 1, 2, 4 … 64. */
export interface Sweep {
  from: number;
  to: number;
  step?: number;
  times?: number;
}

/** What a factor may hold. */
export type LevelsField = Level[] | Level | Sweep;

export interface ExperimentDraft {
  api_version?: string;
  name: string;
  title: string;
  study?: string | null;
  factors: Record<string, LevelsField>;
  rounds: number;
  stopping?: Stopping | null;
  quality?: Quality | null;
  /** Left out: each run draws its own. */
  seed?: number | null;
  baseline: Levels;
  metrics?: string[];
  margin?: number;
  exclude?: Rule[];
  include?: Rule[];
  thresholds?: string[];
  latency_limit_ms?: number | null;
}

/** A definition as the server stores it: in canonical form, so that every field is there. */
export function draftOf(definition: Experiment): ExperimentDraft {
  return definition as ExperimentDraft;
}

/** A draft as a request's body. */
export function bodyOf(draft: ExperimentDraft): ExperimentDocument {
  return draft as ExperimentDocument;
}

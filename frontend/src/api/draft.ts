/** An experiment while it is edited. Levels may be invalid: the server validates them. */
import type { Experiment, ExperimentDocument, Quality, Stopping } from "./generated";

export type Level = string | number | boolean;
export type Levels = Record<string, Level>;

/** Selects the cells that have one of these levels of every named factor. */
export type Rule = Record<string, Level[] | Level>;

/** A range of levels, expanded by the server: 1000, 2000 … 8000, or 1, 2, 4 … 64. */
export interface Sweep {
  from: number;
  to: number;
  step?: number;
  times?: number;
}

/** The value of a factor in a document. */
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
  profile?: boolean;
  /** Drawn for each run where it is missing. */
  seed?: number | null;
  /** The levels of the cell that others are compared with; or the factor whose levels are compared. */
  baseline?: Levels;
  compare?: string;
  metrics?: string[];
  margin?: number;
  exclude?: Rule[];
  include?: Rule[];
  thresholds?: string[];
  latency_limit_ms?: number | null;
}

/** Returns a stored definition as a draft; it is in canonical form, so every field is present. */
export function draftOf(definition: Experiment): ExperimentDraft {
  return definition as ExperimentDraft;
}

/** Returns a draft as the body of a request. */
export function bodyOf(draft: ExperimentDraft): ExperimentDocument {
  return draft as ExperimentDocument;
}

/** The API's values as the page uses them: the generated types, under the names of the vocabulary. */
import type * as api from "./generated";

export type {
  Attempt,
  BudgetPlan,
  Command,
  Condition,
  CpuByRole,
  CpuPoint,
  Equivalence,
  Evidence,
  Host,
  ImportedRecord,
  ImportLog,
  LiveEvent,
  MetricChoice as Metric,
  PathChoice,
  Plan,
  ProcessCpu,
  Quality,
  Resolution,
  Run,
  SecondPoint,
  Share,
  ShareEntry,
  Signal,
  Trial,
  TrialDetail,
  TrialEvent,
  TrialRecord,
} from "./generated";

export type Level = string | number | boolean;
export type Levels = Record<string, Level>;
export type Factor = api.FactorChoice;
export type Factors = api.Vocabulary;
export type RunState = api.Run["state"];
export type TrialState = api.Trial["state"];
export type EvidenceVerdict = api.Evidence["verdict"];

/** Cells that have one of these levels of every named factor. */
export type Rule = Record<string, Level[] | Level>;

/** Levels as a rule that the server spells out: 1000, 2000 … 8000, or 1, 2, 4 … 64. */
export interface Sweep {
  from: number;
  to: number;
  step?: number;
  times?: number;
}

/** What a factor may hold while it is edited. */
export type LevelsField = Level[] | Level | Sweep;

/** Rounds spent where they decide: looks after `rounds`, then every `every`, at most `at_most`. */
export interface Stopping {
  every?: number;
  at_most: number;
  budget_minutes?: number | null;
}

/** An experiment as it is being edited: any level may stand in it until the server has judged it. */
export interface ExperimentDocument {
  api_version?: string;
  name: string;
  title: string;
  study?: string | null;
  factors: Record<string, LevelsField>;
  rounds: number;
  stopping?: Stopping | null;
  quality?: api.Quality | null;
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

/** Old logs as a run. */
export type ImportStart = Canonical<api.ImportStart, "experiment">;

/** The API gives documents in canonical form: every field is there. */
type Canonical<T, Key extends keyof T> = Omit<T, Key> & Record<Key, ExperimentDocument>;

export type Preset = Canonical<api.Preset, "definition">;
export type Experiment = Canonical<api.ExperimentResource, "definition">;
export type PlanAnswer = Canonical<api.PlanPreview, "experiment">;

/** The API's values as the page uses them: the generated types, under the names of the vocabulary. */
import type * as api from "./generated";

export type {
  Attempt,
  Command,
  CpuByRole,
  CpuPoint,
  Equivalence,
  Evidence,
  Host,
  LiveEvent,
  MetricChoice as Metric,
  PathChoice,
  Plan,
  ProcessCpu,
  Run,
  SecondPoint,
  Share,
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

/** Cells that have one of these levels of every named factor are left out. */
export type ExcludeRule = Record<string, Level[] | Level>;

/** An experiment as it is being edited: any level may stand in it until the server has judged it. */
export interface ExperimentDocument {
  api_version?: string;
  name: string;
  title: string;
  study?: string | null;
  factors: Record<string, Level[] | Level>;
  rounds: number;
  seed: number;
  baseline: Levels;
  metrics?: string[];
  margin?: number;
  exclude?: ExcludeRule[];
}

/** The API gives documents in canonical form: every field is there. */
type Canonical<T, Key extends keyof T> = Omit<T, Key> & Record<Key, ExperimentDocument>;

export type Preset = Canonical<api.Preset, "definition">;
export type Experiment = Canonical<api.ExperimentResource, "definition">;
export type PlanAnswer = Canonical<api.PlanPreview, "experiment">;

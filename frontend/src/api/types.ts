/** Short names for parts of the generated types. */
import type * as api from "./generated";

export type Factor = api.FactorChoice;
export type Factors = api.Vocabulary;
export type RunState = api.Run["state"];
export type TrialState = api.Trial["state"];
export type CellState = api.ChartCell["state"];
export type EvidenceVerdict = api.Evidence["verdict"];
export type VerdictKind = api.Comparison["verdict"];
export type ThresholdOutcome = api.ThresholdReport["outcome"];
export type AaOutcome = NonNullable<api.DuplicateCheck["outcome"]>;
export type Basis = api.RunComparison["basis"];
export type Comparable = api.RunComparison["comparable"];

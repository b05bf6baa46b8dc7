/** The ChartModel and its parts, as the server computes them. */
import type { ChartCell, Comparison, DuplicateCheck, Gate } from "./generated";

export type {
  Axis,
  BestGroup,
  ChartCell,
  ChartModel,
  Comparison,
  DriftCheck,
  Gate,
  GateCell,
  GateRule,
  Interval,
  Knee,
  Ladder,
  Looks,
  Price,
  RoleShare,
  Rung,
  Summary,
} from "./generated";

export type CellState = ChartCell["state"];
export type VerdictKind = Comparison["verdict"];
export type GateOutcome = Gate["outcome"];
export type AaOutcome = NonNullable<DuplicateCheck["outcome"]>;

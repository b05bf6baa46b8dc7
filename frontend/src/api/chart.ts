/** The ChartModel and its parts, as the server computes them. */
import type { ChartCell, Comparison } from "./generated";

export type {
  Axis,
  ChartCell,
  ChartModel,
  Comparison,
  Interval,
  RoleShare,
  Summary,
} from "./generated";

export type CellState = ChartCell["state"];
export type VerdictKind = Comparison["verdict"];

/** Two runs side by side, as the server compares them. */
import type { CrossModel } from "./generated";

export type { CrossCell, CrossModel, CrossRow, CrossTable, EnvironmentDifference, RunSide } from "./generated";

export type Basis = CrossModel["basis"];
export type Comparable = CrossModel["comparable"];

import type { FieldError } from "@/api/errors";
import type { ExperimentDraft, Level, Sweep } from "@/api/draft";
import type { Host } from "@/api/generated";
import type { Factor, Factors } from "@/api/types";

/** What every field of a factor is given. */
export interface FactorProps {
  document: ExperimentDraft;
  vocabulary: Factors;
  factor: Factor;
  errors: readonly FieldError[];
  host: Host | undefined;
  /** Levels that were chosen: everything that depends on them follows. */
  onLevels: (factor: Factor, levels: readonly Level[] | Sweep) => void;
  /** Levels as they are being typed: nothing else changes with them. */
  onTyped: (factor: Factor, levels: readonly Level[] | Sweep) => void;
}

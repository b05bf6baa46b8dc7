import type { FieldError } from "@/api/errors";
import type { ExperimentDraft, Level, Sweep } from "@/api/draft";
import type { Host } from "@/api/generated";
import type { Factor, Factors } from "@/api/types";

/** The properties of all fields of factors. */
export interface FactorProps {
  document: ExperimentDraft;
  vocabulary: Factors;
  factor: Factor;
  errors: readonly FieldError[];
  host: Host | undefined;
  /** Called with chosen levels; the rest of the document is adapted to them. */
  onLevels: (factor: Factor, levels: readonly Level[] | Sweep) => void;
  /** Called with levels that are being typed; the rest of the document is not changed. */
  onTyped: (factor: Factor, levels: readonly Level[] | Sweep) => void;
}

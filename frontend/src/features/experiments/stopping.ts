/** Edits of stopping rule, thresholds and latency limit in a document. Pure. */
import type { ExperimentDraft } from "@/api/draft";
import type { BudgetPlan, Stopping } from "@/api/generated";

/** The default number of rounds between interim analyses. */
export const EVERY = 4;
const INTERIM_ANALYSES = 3;

/** Returns the default rule, with interim analyses after the given rounds and three times after. */
export function defaultStopping(rounds: number): Stopping {
  const first = Number.isInteger(rounds) && rounds > 0 ? rounds : 10;
  return { every: EVERY, at_most: first + INTERIM_ANALYSES * EVERY };
}

export function withStopping(document: ExperimentDraft, stopping: Stopping | null): ExperimentDraft {
  const next = { ...document };
  if (stopping === null) delete next.stopping;
  else next.stopping = stopping;
  return next;
}

/** Returns the document with the proposed rounds of a budget, fixed or adaptive. */
export function withBudget(document: ExperimentDraft, budget: BudgetPlan, adaptive: boolean): ExperimentDraft {
  if (!adaptive || budget.stopping === null) return { ...withStopping(document, null), rounds: budget.rounds };
  return { ...withStopping(document, budget.stopping), rounds: budget.first_interim_analysis ?? document.rounds };
}

/** Parses thresholds, one per line; empty lines are ignored. */
export function thresholdsOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}

export function withThresholds(document: ExperimentDraft, thresholds: readonly string[]): ExperimentDraft {
  const next = { ...document };
  if (thresholds.length === 0) delete next.thresholds;
  else next.thresholds = [...thresholds];
  return next;
}

export function withLimit(document: ExperimentDraft, limit: number | null): ExperimentDraft {
  const next = { ...document };
  if (limit === null) delete next.latency_limit_ms;
  else next.latency_limit_ms = limit;
  return next;
}

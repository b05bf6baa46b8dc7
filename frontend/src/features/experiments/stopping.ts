/** When a run stops: after fixed rounds, or once its cells are decided. Pure. */
import type { ExperimentDraft } from "@/api/draft";
import type { BudgetPlan, Stopping } from "@/api/generated";

/** Rounds between interim analyses, unless the definition says otherwise. */
export const EVERY = 4;
const INTERIM_ANALYSES = 3;

/** A default rule: the first interim analysis after the given rounds, and a few more. */
export function usualStopping(rounds: number): Stopping {
  const first = Number.isInteger(rounds) && rounds > 0 ? rounds : 10;
  return { every: EVERY, at_most: first + INTERIM_ANALYSES * EVERY };
}

export function withStopping(document: ExperimentDraft, stopping: Stopping | null): ExperimentDraft {
  const next = { ...document };
  if (stopping === null) delete next.stopping;
  else next.stopping = stopping;
  return next;
}

/** The document as a budget proposes it: fixed or adaptive rounds. */
export function withBudget(document: ExperimentDraft, budget: BudgetPlan, adaptive: boolean): ExperimentDraft {
  if (!adaptive || budget.stopping === null) return { ...withStopping(document, null), rounds: budget.rounds };
  return { ...withStopping(document, budget.stopping), rounds: budget.first_interim_analysis ?? document.rounds };
}

/** One threshold per line; empty lines are ignored. */
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

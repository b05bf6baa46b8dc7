/** When a run stops: after fixed rounds, or where its answers are decided. Pure. */
import type { BudgetPlan, ExperimentDocument, Stopping } from "@/api/types";

/** Looks every so many rounds, unless the definition says otherwise. */
export const EVERY = 4;
const LOOKS = 3;

/** A rule to begin with: the first look after the rounds that are there, and a few more. */
export function usualStopping(rounds: number): Stopping {
  const first = Number.isInteger(rounds) && rounds > 0 ? rounds : 10;
  return { every: EVERY, at_most: first + LOOKS * EVERY };
}

export function withStopping(document: ExperimentDocument, stopping: Stopping | null): ExperimentDocument {
  const next = { ...document };
  if (stopping === null) delete next.stopping;
  else next.stopping = stopping;
  return next;
}

/** The document as a budget proposes it: fixed rounds, or rounds where they decide. */
export function withBudget(document: ExperimentDocument, budget: BudgetPlan, adaptive: boolean): ExperimentDocument {
  if (!adaptive || budget.stopping === null) return { ...withStopping(document, null), rounds: budget.rounds };
  return { ...withStopping(document, budget.stopping), rounds: budget.first_look ?? document.rounds };
}

/** One threshold a line; empty lines are none. */
export function thresholdsOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}

export function withThresholds(document: ExperimentDocument, thresholds: readonly string[]): ExperimentDocument {
  const next = { ...document };
  if (thresholds.length === 0) delete next.thresholds;
  else next.thresholds = [...thresholds];
  return next;
}

export function withLimit(document: ExperimentDocument, limit: number | null): ExperimentDocument {
  const next = { ...document };
  if (limit === null) delete next.latency_limit_ms;
  else next.latency_limit_ms = limit;
  return next;
}

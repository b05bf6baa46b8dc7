/** How a whole run came out, in one of four words, and why there is no answer. Pure. */
import type { RunVerdict } from "@/api/generated";
import { messages } from "@/messages";
import type { Outcome } from "./stateLabels";

const t = messages("states");

/** Returns the outcome of a run: that of its largest clear difference, if it has an answer. */
export function outcomeOf({ kind, largest, answered }: RunVerdict): Outcome {
  if (!answered) return "no_answer";
  if (largest) return largest.verdict === "better" ? "better" : "worse";
  return kind === "equivalent" ? "equal" : "no_answer";
}

/** Returns the number of comparisons that cannot be judged because trials are missing. */
export function lostOf({ lost = 0, without_ratio = 0 }: RunVerdict): number {
  return Math.max(lost, without_ratio);
}

/** Returns why a run has no answer: "3 of 9 comparisons lost". */
export function noAnswerReason(verdict: RunVerdict): string {
  const { compared, kind, cells } = verdict;
  const lost = lostOf(verdict);
  if (compared === 0) return t(kind === "failed" ? "reasonFailed" : "reasonNothing");
  if (lost > 0) return t("reasonLost", { lost, count: compared });
  if (cells.every((cell) => cell.verdict === "not_enough_rounds")) return t("reasonFew");
  return t("reasonMore");
}

/** What a plan cannot answer, by what the server says of it, and the change that makes it able to. Pure. */
import type { ExperimentDraft } from "@/api/draft";
import type { MessageParts, PlanPreview } from "@/api/generated";
import { withStopping } from "./stopping";

export type Remedy =
  /** Too few rounds for the comparisons; `able` of them can be decided. `enough` is null where no number of rounds is. */
  | { kind: "rounds"; rounds: number; comparisons: number; able: number; enough: number | null }
  /** An analysis that comes too early to decide anything. */
  | { kind: "early"; rounds: number; needed: number }
  /** Only cells that others would be compared with. */
  | { kind: "nothing" }
  /** A time limit that ends before the first analysis. */
  | { kind: "budget" };

const PREFIX = "reasons:";

/** Returns what the plan cannot answer; null where it can. */
export function remedyOf({ messages }: PlanPreview): Remedy | null {
  const said = Object.values(messages ?? {});
  const of = (...ids: string[]) => said.find(({ id }) => ids.some((each) => id === PREFIX + each));
  if (of("nothingToCompare")) return { kind: "nothing" };
  const few = of("tooFewRounds", "tooFewRoundsAnalyses");
  if (few) {
    const { rounds, n: comparisons, able, remedy } = few.figures ?? {};
    const enough = isMessage(remedy) && remedy.id === `${PREFIX}roundsEnough` ? numberOf(remedy.figures?.["n"]) : null;
    return { kind: "rounds", rounds: numberOf(rounds) ?? 0, comparisons: numberOf(comparisons) ?? 0, able: numberOf(able) ?? 0, enough };
  }
  if (of("analysisAfterBudget")) return { kind: "budget" };
  const early = of("earlyAnalysis")?.figures;
  const needed = numberOf(early?.["needed"]);
  return early && needed !== null ? { kind: "early", rounds: numberOf(early["n"]) ?? 0, needed } : null;
}

function isMessage(figure: string | number | MessageParts | undefined): figure is MessageParts {
  return typeof figure === "object";
}

/** Returns a figure as a number: the server's texts have thousands separated by commas. */
function numberOf(figure: string | number | MessageParts | undefined): number | null {
  if (typeof figure === "number") return figure;
  const number = typeof figure === "string" ? Number(figure.replaceAll(",", "")) : NaN;
  return Number.isFinite(number) ? number : null;
}

/** Returns the document that can answer; null where no single change does it. */
export function withRemedy(document: ExperimentDraft, remedy: Remedy): ExperimentDraft | null {
  const { stopping } = document;
  switch (remedy.kind) {
    case "rounds":
      if (remedy.enough === null) return null;
      return stopping ? withStopping(document, { ...stopping, at_most: remedy.enough }) : { ...document, rounds: remedy.enough };
    case "early": {
      const later = remedy.needed - document.rounds;
      const moved = { ...document, rounds: remedy.needed };
      return stopping ? withStopping(moved, { ...stopping, at_most: stopping.at_most + later }) : moved;
    }
    case "nothing": {
      const next = { ...document, factors: { ...document.factors, userland_proxy: [true, false] }, compare: "userland_proxy" };
      delete next.baseline;
      return next;
    }
    case "budget":
      return stopping ? withStopping(document, { ...stopping, budget_minutes: null }) : null;
  }
}

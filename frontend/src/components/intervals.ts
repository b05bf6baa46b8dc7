/** Names of the intervals of ratios, with the comparisons that they are simultaneous over. */
import type { ChartModel } from "@/api/generated";
import { messages } from "@/messages";

const t = messages("common");

/** The number of comparisons of a metric in one family; A/A duplicates form their own family. */
export function familyOf({ cells }: Pick<ChartModel, "cells">, metric: string): number {
  return Math.max(1, ...cells.flatMap((cell) => (cell.is_duplicate ? [] : (cell.comparisons[metric]?.family ?? 1))));
}

/** "95 % simultaneous CI of 5 comparisons"; "95 % CI" for one comparison without interim analyses. */
export function intervalName(family: number, interim: boolean, of = t("comparisons")): string {
  if (family <= 1) return interim ? t("ciInterim") : t("ciAlone");
  return t(interim ? "ciFamilyInterim" : "ciFamily", { family, of });
}

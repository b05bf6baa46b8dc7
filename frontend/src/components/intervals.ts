/** The name of the interval of a ratio: which comparisons it is simultaneous over. */
import type { ChartModel } from "@/api/generated";

/** How many comparisons of a metric form one family; A/A duplicates are a family of their own. */
export function familyOf({ cells }: Pick<ChartModel, "cells">, metric: string): number {
  return Math.max(1, ...cells.flatMap((cell) => (cell.is_duplicate ? [] : (cell.comparisons[metric]?.family ?? 1))));
}

/** "95 % simultaneous CI of 5 comparisons"; of one comparison without interim analyses plainly "95 % CI". */
export function intervalName(family: number, interim: boolean, of = "comparisons"): string {
  const over = [...(family > 1 ? [`${family} ${of}`] : []), ...(interim ? ["all interim analyses"] : [])];
  return over.length > 0 ? `95 % simultaneous CI of ${over.join(" and ")}` : "95 % CI";
}

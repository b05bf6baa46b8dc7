/** What stands in place of a number that a cell does not have. */
import type { ChartCell, ChartModel } from "@/api/chart";
import { cellState, type Told } from "@/components/states";
import { isDrawn } from "./dotLayout";

/** The cell's state, or, for a measured cell, that its tool does not report the metric. */
export function noFigure(cell: ChartCell, origin: ChartModel["origin"]): Told {
  if (!isDrawn(cell)) return cellState(cell.state, origin);
  return { glyph: "–", word: `not reported by ${String(cell.levels["tool"] ?? "its tool")}`, tone: "quiet" };
}

/** What stands in place of a number that a cell does not have. */
import type { ChartCell } from "@/api/chart";
import { CELL_STATES, type Told } from "@/components/states";
import { isDrawn } from "./dotLayout";

/** The cell's state, or, for a measured cell, that its tool does not report the metric. */
export function noFigure(cell: ChartCell): Told {
  if (!isDrawn(cell)) return CELL_STATES[cell.state];
  return { glyph: "–", word: `not reported by ${String(cell.levels["tool"] ?? "its tool")}`, tone: "quiet" };
}

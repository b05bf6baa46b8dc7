/** Filters cells by text, and to those with a clear difference. Pure. */
import type { ChartCell, ChartModel } from "@/api/generated";
import { hasFigures, isDifference } from "@/api/states";
import { cellState } from "@/components/stateLabels";

export interface CellFilter {
  text: string;
  clearOnly: boolean;
}

export const NO_FILTER: CellFilter = { text: "", clearOnly: false };

/** More dots or lanes than this are slow to draw. */
const DOTS = 1500;
const LANES = 60;
const FEWEST = 20;

/** Returns the number of cells that a chart draws at once. */
export function laneLimit(model: ChartModel): number {
  return Math.max(FEWEST, Math.min(LANES, Math.floor(DOTS / Math.max(1, model.rounds_planned))));
}

function matches(cell: ChartCell, origin: ChartModel["origin"], words: readonly string[]): boolean {
  const text = [cell.id, cell.label, ...cell.hops, cellState(cell.state, origin).word, cell.reason ?? ""].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Returns the ids of the cells that differ from their baseline in one metric, and of those baselines. */
function clearCells(cells: readonly ChartCell[], metric: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const cell of cells) {
    const comparison = hasFigures(cell) ? cell.comparisons[metric] : undefined;
    if (!comparison || !isDifference(comparison.verdict)) continue;
    found.add(cell.id);
    found.add(comparison.baseline_id);
  }
  return found;
}

/** Returns the cells that match the filter, in plan order: each word is in the label, the hops, the state or the reason. */
export function shownCells(model: ChartModel, metric: string, { text, clearOnly }: CellFilter): ChartCell[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const clear = clearOnly ? clearCells(model.cells, metric) : null;
  return model.cells.filter((cell) => (clear === null || clear.has(cell.id)) && matches(cell, model.origin, words));
}

/** Returns the first `most` rows over all groups, without empty groups. */
export function firstRows<T>(groups: readonly { group: string; rows: T[] }[], most: number): { group: string; rows: T[]; all: number }[] {
  let left = most;
  return groups.flatMap(({ group, rows }) => {
    const kept = rows.slice(0, Math.max(0, left));
    left -= rows.length;
    return kept.length > 0 ? [{ group, rows: kept, all: rows.length }] : [];
  });
}

/** Which series a history shows, and the changes of each. */
import type { History, HistoryChange, HistorySeries } from "@/api/generated";

export type Basis = HistorySeries["basis"];

/** A cell's series with its changes, in the order of the list: the largest change first. */
export interface CellHistory {
  cell: History["cells"][number];
  series: HistorySeries;
  changes: HistoryChange[];
}

export function changesOf(history: History, series: HistorySeries): HistoryChange[] {
  return history.changes.filter((one) => one.cell_id === series.cell_id && one.metric === series.metric && one.basis === series.basis).sort((a, b) => a.at - b.at);
}

/** Returns the cells of a metric and basis; those with the largest change first, others in the order of the plan. */
export function cellHistories(history: History, metric: string, basis: Basis): CellHistory[] {
  const found = history.cells.flatMap((cell) => {
    const series = history.series.find((one) => one.cell_id === cell.id && one.metric === metric && one.basis === basis);
    return series ? [{ cell, series, changes: changesOf(history, series) }] : [];
  });
  const rank = (one: CellHistory) => {
    const index = history.changes.findIndex((change) => one.changes.includes(change));
    return index === -1 ? Infinity : index;
  };
  return found.sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}

/** The change as a percentage: 0.8 is −20. */
export function percentOf(ratio: number): number {
  return (ratio - 1) * 100;
}

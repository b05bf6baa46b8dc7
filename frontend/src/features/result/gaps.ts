/** Which cells have no or fewer values than planned, and what the verdict rests on. Pure. */
import type { ChartCell, ChartModel, Comparison } from "@/api/generated";
import { hasFigures, isTerminal } from "@/api/states";
import { cellState, VERDICTS, type StateLabel } from "@/components/stateLabels";
import { serverText } from "@/components/serverText";

/** Cells with the same state for the same reason. */
export interface Gap {
  key: string;
  state: StateLabel;
  /** In the page's language; empty where none is known. */
  reason: string;
  /** Whether they have values, but fewer than planned. */
  few: boolean;
  cells: ChartCell[];
}

export interface Gaps {
  gaps: Gap[];
  /** The number of cells in `gaps`, and of all. */
  cells: number;
  all: number;
  /** The number of comparisons by the first metric with enough values, and of those that the plan has. */
  compared: number;
  comparisons: number;
  /** Baselines without values, with which nothing can be compared. */
  baselines: ChartCell[];
}

/** Returns the gaps of a result; null where there is none. While the run goes on, cells that merely wait for trials are no gap. */
export function gapsOf(model: Pick<ChartModel, "cells" | "axes" | "state" | "origin">): Gaps | null {
  const [axis] = model.axes;
  const ended = isTerminal(model.state);
  const found = new Map<string, Gap>();
  for (const cell of model.cells) {
    const gap = gapOf(cell, axis?.metric, ended, model.origin);
    if (gap === null) continue;
    const known = found.get(gap.key);
    if (known) known.cells.push(cell);
    else found.set(gap.key, { ...gap, cells: [cell] });
  }
  if (found.size === 0) return null;
  const gaps = [...found.values()].sort((a, b) => Number(a.few) - Number(b.few) || b.cells.length - a.cells.length);
  const subjects = model.cells.filter((cell) => !cell.is_baseline && !cell.is_duplicate);
  return {
    gaps,
    cells: gaps.reduce((sum, { cells }) => sum + cells.length, 0),
    all: model.cells.length,
    compared: axis ? subjects.filter((cell) => hasFigures(cell) && isCompared(cell.comparisons[axis.metric])).length : 0,
    comparisons: subjects.length,
    baselines: model.cells.filter((cell) => cell.is_baseline && !cell.is_duplicate && !hasFigures(cell) && cell.state !== "waiting"),
  };
}

function isCompared(found: Comparison | undefined): boolean {
  return found !== undefined && found.verdict !== "not_enough_rounds" && (found.ratio !== null || found.difference != null);
}

function gapOf(cell: ChartCell, metric: string | undefined, ended: boolean, origin: ChartModel["origin"]): Omit<Gap, "cells"> | null {
  const reason = cell.reason === null ? "" : serverText(cell.reason, cell.reason_message);
  if (!hasFigures(cell)) {
    if (cell.state === "waiting" && !ended) return null;
    return { key: `${cell.state} ${reason}`, state: cellState(cell.state, origin), reason, few: false };
  }
  if (!ended) return null;
  const comparison = metric === undefined ? undefined : cell.comparisons[metric];
  const isShort = comparison?.verdict === "not_enough_rounds";
  if (!isShort && cell.state !== "partial") return null;
  const why = [reason, isShort ? serverText(comparison.sentence, comparison.message) : ""].filter(Boolean).join("; ");
  return { key: `few ${why}`, state: isShort ? VERDICTS.not_enough_rounds : cellState(cell.state, origin), reason: why, few: true };
}

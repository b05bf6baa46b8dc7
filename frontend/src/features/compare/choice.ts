/** The runs or cells to compare, from the address, and proposals for them. Pure. */
import type { CompareRunsData, Run } from "@/api/generated";

type Compared = CompareRunsData["query"];

export interface Choice {
  a: string | null;
  b: string | null;
  aCell: string | null;
  bCell: string | null;
  basis: Compared["basis"];
  metric: string | null;
  override: boolean;
  /** Whether single cells are compared. */
  cells: boolean;
}

export function choiceOf(query: URLSearchParams): Choice {
  const basis = query.get("basis");
  const [aCell, bCell] = [query.get("a_cell"), query.get("b_cell")];
  return {
    a: query.get("a"),
    b: query.get("b"),
    aCell,
    bCell,
    basis: basis === "values" || basis === "ratios" ? basis : null,
    metric: query.get("metric"),
    override: query.get("override") === "1",
    cells: aCell !== null || bCell !== null,
  };
}

/** Returns the comparison to request; null while the choice is incomplete. */
export function comparisonQuery({ a, b, aCell, bCell, basis, override, cells }: Choice): Compared | null {
  if (a === null || b === null) return null;
  if (cells && (!aCell || !bCell)) return null;
  if (a === b && (!cells || aCell === bCell)) return null;
  return { a, b, override, ...(basis && { basis }), ...(cells && { a_cell: aCell, b_cell: bCell }) };
}

/** Returns why the chosen pair cannot be compared: both are one run, or one cell. */
export function conflictOf({ a, b, aCell, bCell, cells }: Choice): "one run" | "one cell" | null {
  if (a === null || a !== b) return null;
  if (!cells) return "one run";
  return aCell && aCell === bCell ? "one cell" : null;
}

/** What a list shows of a run. */
export type Listed = Pick<Run, "id" | "experiment_id" | "name" | "title" | "host" | "state" | "created_at">;

interface Proposals {
  /** Runs of the same experiment, newest first. */
  same: Listed[];
  /** Runs of the same name with another definition. */
  alike: Listed[];
  others: Listed[];
}

/** A run that waits has nothing to compare. */
export const WITH_RESULT: readonly string[] = ["running", "done", "cancelled", "incomplete"];

/** Returns the runs that a run can be compared with, by similarity. */
export function proposals(runs: readonly Listed[], known: Listed | undefined): Proposals {
  const able = runs.filter((run) => run.id !== known?.id && WITH_RESULT.includes(run.state)).sort((x, y) => y.created_at.localeCompare(x.created_at));
  if (!known) return { same: [], alike: [], others: able };
  const same = able.filter((run) => run.experiment_id === known.experiment_id);
  const alike = able.filter((run) => run.experiment_id !== known.experiment_id && run.name === known.name);
  return { same, alike, others: able.filter((run) => !same.includes(run) && !alike.includes(run)) };
}

/** Returns the newest run of the same experiment, else of the same name. */
export function proposedRun(runs: readonly Listed[], known: Listed | undefined): Listed | undefined {
  const { same, alike } = proposals(runs, known);
  return same[0] ?? alike[0];
}

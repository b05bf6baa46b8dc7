/** What is compared, from the address, and what to propose. Pure. */
import type { CompareRunsData } from "@/api/generated";
import type { Run } from "@/api/generated";

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

/** The comparison to request; null while the choice is incomplete. */
export function comparedIn({ a, b, aCell, bCell, basis, override, cells }: Choice): Compared | null {
  if (a === null || b === null) return null;
  if (cells && (!aCell || !bCell)) return null;
  if (a === b && (!cells || aCell === bCell)) return null;
  return { a, b, override, ...(basis && { basis }), ...(cells && { a_cell: aCell, b_cell: bCell }) };
}

/** What keeps the chosen two from being compared, where both are chosen. */
export function gapOf({ a, b, aCell, bCell, cells }: Choice): "one run" | "one cell" | null {
  if (a === null || a !== b) return null;
  if (!cells) return "one run";
  return aCell && aCell === bCell ? "one cell" : null;
}

interface Proposals {
  /** Runs of the very same experiment, newest first. */
  same: Run[];
  /** Runs under the same name: the definition has changed. */
  alike: Run[];
  others: Run[];
}

const WITH_RESULT: ReadonlySet<string> = new Set(["running", "done", "cancelled", "incomplete"]);

/** The runs that another can be compared with, those that it most likely is first. */
export function proposals(runs: readonly Run[], known: Run | undefined): Proposals {
  const able = runs.filter((run) => run.id !== known?.id && WITH_RESULT.has(run.state)).sort((x, y) => y.created_at.localeCompare(x.created_at));
  if (!known) return { same: [], alike: [], others: able };
  const same = able.filter((run) => run.experiment_id === known.experiment_id);
  const alike = able.filter((run) => run.experiment_id !== known.experiment_id && run.name === known.name);
  return { same, alike, others: able.filter((run) => !same.includes(run) && !alike.includes(run)) };
}

/** The one to propose: the newest of the same experiment, else of the same name. */
export function proposed(runs: readonly Run[], known: Run | undefined): Run | undefined {
  const { same, alike } = proposals(runs, known);
  return same[0] ?? alike[0];
}

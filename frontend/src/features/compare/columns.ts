/** The columns of a comparison of several runs, from the address. Pure. */
import type { CompareColumnsData } from "@/api/generated";
import type { AddressChanges } from "@/components/useAddress";

export const FEWEST_COLUMNS = 2;
export const MOST_COLUMNS = 12;

type Query = CompareColumnsData["query"];

/** A run, or one of its cells; "" while no cell is chosen. */
export interface ColumnChoice {
  run: string;
  cell: string | null;
}

export interface MatrixChoice {
  columns: ColumnChoice[];
  /** Whether single cells are compared. */
  cells: boolean;
  reference: number;
  basis: Query["basis"];
  metric: string | null;
  override: boolean;
}

/** Whether the address names columns, not the two runs of a pair. */
export function isMatrix(query: URLSearchParams): boolean {
  return query.has("run") || query.get("view") === "matrix";
}

export function matrixChoice(query: URLSearchParams): MatrixChoice {
  const cells = query.getAll("cell");
  const columns = query.getAll("run").slice(0, MOST_COLUMNS).map((run, index) => ({ run, cell: cells.length > 0 ? (cells[index] ?? "") : null }));
  const basis = query.get("basis");
  const reference = Number(query.get("reference") ?? 0);
  return {
    columns,
    cells: cells.length > 0,
    reference: Number.isInteger(reference) && reference >= 0 && reference < columns.length ? reference : 0,
    basis: basis === "values" || basis === "ratios" ? basis : null,
    metric: query.get("metric"),
    override: query.get("override") === "1",
  };
}

/** Returns the comparison to request; null while the choice is incomplete. */
export function matrixQuery({ columns, cells, reference, basis, metric, override }: MatrixChoice): Query | null {
  if (columns.length < FEWEST_COLUMNS || repeated({ columns, cells }) || columns.some(({ cell }) => cell === "")) return null;
  return {
    run: columns.map(({ run }) => run),
    ...(cells && { cell: columns.map(({ cell }) => cell ?? "") }),
    ...(reference > 0 && { reference }),
    ...(basis && { basis }),
    ...(metric && { metric }),
    ...(override && { override }),
  };
}

/** Whether two columns are the same run or cell. */
export function repeated({ columns, cells }: Pick<MatrixChoice, "columns" | "cells">): boolean {
  const keys = columns.filter(({ cell }) => !cells || cell !== "").map(({ run, cell }) => `${run} ${cell ?? ""}`);
  return new Set(keys).size < keys.length;
}

/** Returns the address of other columns: the override ends, because it was given for the old ones. */
export function withColumns(choice: MatrixChoice, columns: readonly ColumnChoice[], reference = choice.reference): AddressChanges {
  const kept = Math.min(reference, Math.max(0, columns.length - 1));
  return {
    run: columns.map(({ run }) => run),
    cell: columns.some(({ cell }) => cell !== null) ? columns.map(({ cell }) => cell ?? "") : null,
    reference: kept > 0 ? String(kept) : null,
    override: null,
    view: columns.length === 0 ? "matrix" : null,
    a: null,
    b: null,
    a_cell: null,
    b_cell: null,
  };
}

/** Returns the columns without one of them, and the reference among the rest. */
export function withoutColumn(choice: MatrixChoice, index: number): AddressChanges {
  const columns = choice.columns.filter((_, each) => each !== index);
  const reference = index === choice.reference ? 0 : choice.reference - (index < choice.reference ? 1 : 0);
  return withColumns(choice, columns, reference);
}

/** The letter of a column, as the server names it. */
export function letter(index: number): string {
  return String.fromCharCode(65 + index);
}

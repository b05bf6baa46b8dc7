import { request } from "./client";
import type { Basis, CrossModel } from "./cross";

export interface Asked {
  a: string;
  b: string;
  basis: Basis | null;
  override: boolean;
  /** One cell of each run, where not all are compared. */
  aCell: string | null;
  bCell: string | null;
}

/** Two runs, or two cells of them, held against each other; a refusal is an answer too. */
export function getComparison({ a, b, basis, override, aCell, bCell }: Asked): Promise<CrossModel> {
  const query = new URLSearchParams({ a, b, override: String(override), ...(basis && { basis }), ...(aCell && { a_cell: aCell }), ...(bCell && { b_cell: bCell }) });
  return request<CrossModel>(`/comparisons?${query.toString()}`);
}

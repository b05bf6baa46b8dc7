import { apiUrl, LONG_LIMIT_MS, request } from "./client";
import type { Basis, CrossModel } from "./cross";
import type { ImageHref } from "./exports";

export interface Asked {
  a: string;
  b: string;
  basis: Basis | null;
  override: boolean;
  /** One cell of each run, where not all are compared. */
  aCell: string | null;
  bCell: string | null;
}

function queryOf({ a, b, basis, override, aCell, bCell }: Asked): Record<string, string> {
  return { a, b, override: String(override), ...(basis && { basis }), ...(aCell && { a_cell: aCell }), ...(bCell && { b_cell: bCell }) };
}

/** Two runs, or two cells of them, held against each other; a refusal is an answer too. */
export function getComparison(asked: Asked): Promise<CrossModel> {
  return request<CrossModel>(`/comparisons?${new URLSearchParams(queryOf(asked)).toString()}`, { limitMs: LONG_LIMIT_MS });
}

/** The ratios of one metric as an image. */
export function comparisonImage(asked: Asked, metric: string): ImageHref {
  return (format, theme) => apiUrl(`/comparisons/exports/${format}?${new URLSearchParams({ ...queryOf(asked), metric, theme }).toString()}`);
}

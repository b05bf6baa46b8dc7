/** Groups the rows of a result by the level of the row factor. */
import type { ChartCell } from "@/api/generated";

/** Between the levels of a row, in either language. */
const SEPARATOR = /^(, |，)/;

type RowCell = Pick<ChartCell, "row" | "row_group">;

function groupOf({ row, row_group: group }: RowCell): string {
  return group || row;
}

/** Returns the text of a cell's row after its group: further levels, and the mark of a duplicate. */
export function withinGroup(cell: RowCell): string {
  const rest = cell.row.slice(groupOf(cell).length);
  return rest.replace(SEPARATOR, "").trim();
}

/** Whether any row names further levels, so that headings are useful. */
export function isNested(cells: readonly RowCell[]): boolean {
  return cells.some((cell) => SEPARATOR.test(cell.row.slice(groupOf(cell).length)));
}

/** Groups items by the group of their cell's row and sorts each group by row. */
export function grouped<T>(items: readonly T[], cellOf: (item: T) => RowCell): { group: string; items: T[] }[] {
  return [...Map.groupBy(items, (item) => groupOf(cellOf(item)))].map(([group, found]) => ({ group, items: [...Map.groupBy(found, (item) => cellOf(item).row).values()].flat() }));
}

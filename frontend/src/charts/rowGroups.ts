/** Groups the rows of a result by the level of the row factor. */
import type { ChartCell } from "@/api/generated";

const DUPLICATE = " (A/A)";

/** Returns the group of a row: the first level in its text, that of the row factor. */
function groupOf(row: string): string {
  return (row.split(", ")[0] ?? row).replace(DUPLICATE, "");
}

/** Returns the text of a row after its group; a duplicate keeps its mark. */
export function withinGroup(row: string): string {
  const rest = row.split(", ").slice(1).join(", ");
  return rest || (row.endsWith(DUPLICATE) ? DUPLICATE.trim() : "");
}

/** Whether any row has more text than its group, so that headings are useful. */
export function isNested(cells: readonly ChartCell[]): boolean {
  return cells.some((cell) => cell.row.includes(", "));
}

/** Groups items by the group of their cell's row and sorts each group by row. */
export function grouped<T>(items: readonly T[], cellOf: (item: T) => ChartCell): { group: string; items: T[] }[] {
  const row = (item: T) => cellOf(item).row;
  return [...Map.groupBy(items, (item) => groupOf(row(item)))].map(([group, found]) => ({ group, items: [...Map.groupBy(found, row).values()].flat() }));
}

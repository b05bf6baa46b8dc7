/** Rows of a result by the factor that leads them: many cells stay readable under few headings. */
import type { ChartCell } from "@/api/generated";

const DUPLICATE = " (A/A)";

/** What a row begins with: the level of the row factor. */
function groupOf(row: string): string {
  return (row.split(", ")[0] ?? row).replace(DUPLICATE, "");
}

/** What a row says beyond its group; the duplicate keeps its mark. */
export function withinGroup(row: string): string {
  const rest = row.split(", ").slice(1).join(", ");
  return rest || (row.endsWith(DUPLICATE) ? DUPLICATE.trim() : "");
}

/** Whether rows name more than their group, so that headings are useful. */
export function isNested(cells: readonly ChartCell[]): boolean {
  return cells.some((cell) => cell.row.includes(", "));
}

/** The cells by group and, inside a group, by row: what is compared is side by side. */
export function grouped<T>(items: readonly T[], cellOf: (item: T) => ChartCell): { group: string; items: T[] }[] {
  const row = (item: T) => cellOf(item).row;
  return [...Map.groupBy(items, (item) => groupOf(row(item)))].map(([group, found]) => ({ group, items: [...Map.groupBy(found, row).values()].flat() }));
}

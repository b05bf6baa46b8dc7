/** Which cells of a run lost a trial. Pure. */
import type { MatrixCell } from "@/api/generated";

/** Returns the cells with a disturbed or failed trial; a duplicate comes with its baseline. */
export function lostCells(cells: readonly Pick<MatrixCell, "id" | "states">[]): string[] {
  const lost = cells.filter(({ id, states }) => /[cf]/.test(states) && !id.endsWith("-aa"));
  return lost.map(({ id }) => id);
}

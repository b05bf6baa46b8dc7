/** The list of runs from pages that were loaded once and from what was asked for since. Pure. */
import type { Run } from "@/api/generated";

/** Newest first, each run once, in its latest known state. */
export function mergeRuns(listed: readonly Run[], newest: readonly Run[], followed: readonly Run[]): Run[] {
  const latest = new Map([...listed, ...followed, ...newest].map((run) => [run.id, run]));
  const order = new Set([...newest, ...listed].map(({ id }) => id));
  return [...order].flatMap((id) => latest.get(id) ?? []);
}

/** Whether runs between the newest page and the loaded ones are missing: none of the newest page is known, and it is not the whole list. */
export function leavesGap(listed: readonly Run[], newest: readonly Run[], nextCursor: string | null): boolean {
  const known = new Set(listed.map(({ id }) => id));
  return nextCursor !== null && known.size > 0 && newest.length > 0 && !newest.some(({ id }) => known.has(id));
}

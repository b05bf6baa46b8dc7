/** Merges loaded pages of runs with newer answers. Pure. */
import type { Run } from "@/api/generated";

/** Returns each run once in its latest known state, newest first. */
export function mergeRuns(listed: readonly Run[], newest: readonly Run[], followed: readonly Run[]): Run[] {
  const latest = new Map([...listed, ...followed, ...newest].map((run) => [run.id, run]));
  const order = new Set([...newest, ...listed].map(({ id }) => id));
  return [...order].flatMap((id) => latest.get(id) ?? []);
}

/** Whether runs between the newest page and the loaded pages are missing: none of the newest page is loaded, and it is not the whole list. */
export function hasGap(listed: readonly Run[], newest: readonly Run[], nextCursor: string | null): boolean {
  const known = new Set(listed.map(({ id }) => id));
  return nextCursor !== null && known.size > 0 && newest.length > 0 && !newest.some(({ id }) => known.has(id));
}

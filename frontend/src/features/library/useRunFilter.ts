import type { RunFilter } from "@/api/queries";
import { useAddress } from "@/components/useAddress";

/** The tags that the API accepts. */
const TAG = /^[a-z0-9][a-z0-9._:/-]{0,39}$/;

/** The filter of the list of runs in the address, and the function that changes it. */
export function useRunFilter(): { filter: RunFilter; change: (next: RunFilter) => void } {
  const [address, set] = useAddress();
  const tag = address.get("tag");
  const filter: RunFilter = { ...(tag !== null && TAG.test(tag) && { tag }), ...(address.get("starred") === "true" && { starred: true as const }) };
  return { filter, change: (next) => set({ tag: next.tag ?? null, starred: next.starred ? "true" : null }) };
}

/** A typed tag as the API stores it, or null where it cannot be one. */
export function tagOf(text: string): string | null {
  const tag = text.trim().toLowerCase();
  return TAG.test(tag) ? tag : null;
}

/** What a share link is and how it was used, in words. */
import type { ShareEntry } from "@/api/generated";
import { formatTime, plural } from "./format";

/** Kind and mode: "Private, frozen". */
export function shareKind({ kind, mode }: Pick<ShareEntry, "kind" | "mode">): string {
  return `${kind === "private" ? "Private" : "To post"}, ${mode === "snapshot" ? "frozen" : "live"}`;
}

/** When a link was created, and by whom if that is known. */
export function shareCreation({ created_at, created_by }: Pick<ShareEntry, "created_at" | "created_by">): string {
  return formatTime(created_at) + (created_by === null ? "" : ` by ${created_by}`);
}

/** Until when a link works, or why it does not. */
export function shareState({ state, expires_at }: Pick<ShareEntry, "state" | "expires_at">): string {
  if (state === "revoked") return "revoked: it no longer works";
  return `${state === "open" ? "works until" : "expired"} ${formatTime(expires_at)}`;
}

/** How often a link's page was opened, and when the link was last used. */
export function shareUse({ opens, last_used_at }: Pick<ShareEntry, "opens" | "last_used_at">): string {
  if (last_used_at === null) return "not used yet";
  return `opened ${plural(opens, "time")}, last used ${formatTime(last_used_at)}`;
}

/** What a share link is and how it was used, in words. */
import type { ShareEntry } from "@/api/generated";
import { messages } from "@/messages";
import { formatTime } from "./format";

const t = messages("common");

/** Kind and mode: "Private, frozen". */
export function shareKind({ kind, mode }: Pick<ShareEntry, "kind" | "mode">): string {
  return t(mode === "snapshot" ? (kind === "private" ? "sharePrivateFrozen" : "sharePostFrozen") : kind === "private" ? "sharePrivateLive" : "sharePostLive");
}

/** When a link was created, and by whom if that is known. */
export function shareCreation({ created_at, created_by }: Pick<ShareEntry, "created_at" | "created_by">): string {
  return created_by === null ? formatTime(created_at) : t("shareCreatedBy", { at: formatTime(created_at), by: created_by });
}

/** Until when a link works, or why it does not. */
export function shareState({ state, expires_at }: Pick<ShareEntry, "state" | "expires_at">): string {
  if (state === "revoked") return t("shareRevoked");
  return t(state === "open" ? "shareUntil" : "shareExpired", { at: formatTime(expires_at) });
}

/** How often a link's page was opened, and when the link was last used. */
export function shareUse({ opens, last_used_at }: Pick<ShareEntry, "opens" | "last_used_at">): string {
  if (last_used_at === null) return t("shareUnused");
  return t("shareOpened", { count: opens, at: formatTime(last_used_at) });
}

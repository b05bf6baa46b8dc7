/** Words of the audit log. Pure. */
import type { AuditLine } from "@/api/generated";
import { actionName } from "@/components/actionName";
import type { StateLabel } from "@/components/stateLabels";
import { messages } from "@/messages";
import { languageTag } from "@/messages/language";

const t = messages("team");

/** Actions that are offered as a filter before the log has any entry of them. */
const COMMON = [
  "createExperiment", "startRun", "cancelRun", "importRun", "annotateRun", "deleteRun", "deleteExperiment", "excludeTrial", "includeTrial",
  "createShare", "revokeShare", "createToken", "revokeToken", "createSession", "endSession", "createInvitation", "acceptInvitation",
  "revokeInvitation", "updateMember", "removeMember", "setRetention", "createWebhook", "updateWebhook", "deleteWebhook", "updateHost",
];

/** The actions to choose from: the common ones and those in `more`, by their words. */
export function actionChoices(more: Iterable<string>): { value: string; label: string }[] {
  return [...new Set([...COMMON, ...more])].map((value) => ({ value, label: actionName(value) })).sort((a, b) => a.label.localeCompare(b.label, languageTag()));
}

/** The outcome of a request, with its status and code; a command on the server has none. */
export function outcomeOf({ status, code }: Pick<AuditLine, "status" | "code">): StateLabel {
  const about = code ? `${status} ${code}` : `${status}`;
  if (status < 400) return { glyph: "✓", word: status === 0 ? t("done") : t("doneWith", { about }), tone: "good" };
  return status < 500 ? { glyph: "⊘", word: t("refusedWith", { about }), tone: "warn" } : { glyph: "✕", word: t("failedWith", { about }), tone: "bad" };
}

/** Who acted: the account's name, and the beginning of its API token. */
export function actorOf({ actor, token_prefix }: Pick<AuditLine, "actor" | "token_prefix">): string {
  return token_prefix ? t("actorToken", { actor, token: token_prefix }) : actor;
}

/** A time of an `<input type="datetime-local">` in UTC; null where it is empty or incomplete. */
export function utcOf(local: string): string | null {
  const time = new Date(local);
  return local === "" || Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** A time in UTC for an `<input type="datetime-local">`; empty where it is none. */
export function localOf(utc: string | null): string {
  const time = new Date(utc ?? "");
  if (Number.isNaN(time.getTime())) return "";
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The zone in which this browser shows times: "Europe/Berlin". */
export function zoneName(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

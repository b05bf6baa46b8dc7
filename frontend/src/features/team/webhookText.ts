/** Words and states of webhooks and their messages. Pure. */
import type { DeliveryAttempt, DeliveryEntry, WebhookEntry, WebhookStart } from "@/api/generated";
import { formatZonedTime } from "@/components/format";
import type { StateLabel } from "@/components/stateLabels";
import { messages } from "@/messages";

const t = messages("team");

export type EventName = NonNullable<WebhookStart["events"]>[number];

/** Why somebody, and not a failure, disabled a webhook. */
const PAUSED = `paused`;

export const events = (): readonly { name: EventName; about: string }[] => [
  { name: "run.completed", about: t("eventCompleted") },
  { name: "run.incomplete", about: t("eventIncomplete") },
  { name: "run.cancelled", about: t("eventCancelled") },
  { name: "run.threshold_failed", about: t("eventThreshold") },
  { name: "history.change_shown", about: t("eventChangeShown") },
];

const disabledTexts = (): Record<string, string> => ({
  paused: t("paused"),
  gone: t("gone"),
  failing: t("failing"),
});

/** Whether a webhook sends, and why not. */
export function webhookState({ disabled_at, disabled_reason, failing_since }: WebhookEntry): StateLabel {
  if (disabled_at) return { glyph: "◼", word: disabledTexts()[disabled_reason ?? ""] ?? t("disabled"), tone: disabled_reason === PAUSED ? "quiet" : "bad" };
  if (failing_since) return { glyph: "!", word: t("failingSince", { at: formatZonedTime(failing_since) }), tone: "warn" };
  return { glyph: "✓", word: t("enabled"), tone: "good" };
}

/** The state of a message, with the status of its last attempt. */
export function deliveryState({ state, last_status, attempts }: DeliveryEntry): StateLabel {
  const word = (id: "delivered" | "deliveryFailed" | "notDelivered") => (last_status === null ? t(id) : t("withStatus", { word: t(id), status: last_status }));
  if (state === "delivered") return { glyph: "✓", word: word("delivered"), tone: "good" };
  if (state === "failed") return { glyph: "✕", word: word("deliveryFailed"), tone: "bad" };
  return attempts === 0 ? { glyph: "◌", word: t("waiting"), tone: "quiet" } : { glyph: "◐", word: word("notDelivered"), tone: "warn" };
}

/** The attempts of a message and the time of the next one. */
export function attemptsOf({ attempts, next_at, last_seconds }: DeliveryEntry): string {
  const taken = last_seconds === null ? t("attemptCount", { count: attempts }) : t("attemptsTook", { count: attempts, seconds: last_seconds.toFixed(2) });
  return next_at && attempts > 0 ? t("attemptsNext", { taken, at: formatZonedTime(next_at) }) : taken;
}

const errors = (): Record<string, string> => ({
  blocked: t("blocked"),
  timeout: t("timeout"),
  tls: t("tls"),
  connection: t("connection"),
});

/** How one attempt ended, and how long it took. */
export function attemptOutcome({ status, error, seconds }: DeliveryAttempt): string {
  const outcome = status === null ? (errors()[error ?? ""] ?? t("noAnswer")) : t("answerStatus", { status });
  return t("outcomeTook", { outcome, seconds: seconds.toFixed(2) });
}

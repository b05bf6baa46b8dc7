/** Words and states of webhooks and their messages. Pure. */
import type { DeliveryAttempt, DeliveryEntry, WebhookEntry, WebhookStart } from "@/api/generated";
import { formatZonedTime, plural } from "@/components/format";
import type { StateLabel } from "@/components/stateLabels";

export type EventName = NonNullable<WebhookStart["events"]>[number];

export const EVENTS: readonly { name: EventName; about: string }[] = [
  { name: "run.completed", about: "a run is done" },
  { name: "run.incomplete", about: "a run ended with failed trials" },
  { name: "run.cancelled", about: "a run was cancelled" },
  { name: "run.threshold_failed", about: "a threshold is not met" },
  { name: "history.change_shown", about: "a history shows a change for the first time" },
];

const DISABLED: Record<string, string> = {
  paused: "paused",
  gone: "disabled: the receiver answered 410 Gone",
  failing: "disabled: every attempt of five days failed",
};

/** Whether a webhook sends, and why not. */
export function webhookState({ disabled_at, disabled_reason, failing_since }: WebhookEntry): StateLabel {
  if (disabled_at) return { glyph: "◼", word: DISABLED[disabled_reason ?? ""] ?? "disabled", tone: disabled_reason === "paused" ? "quiet" : "bad" };
  if (failing_since) return { glyph: "!", word: `failing since ${formatZonedTime(failing_since)}`, tone: "warn" };
  return { glyph: "✓", word: "enabled", tone: "good" };
}

/** The state of a message, with the status of its last attempt. */
export function deliveryState({ state, last_status, attempts }: DeliveryEntry): StateLabel {
  const status = last_status === null ? "" : `, ${last_status}`;
  if (state === "delivered") return { glyph: "✓", word: `delivered${status}`, tone: "good" };
  if (state === "failed") return { glyph: "✕", word: `failed${status}`, tone: "bad" };
  return attempts === 0 ? { glyph: "◌", word: "waiting", tone: "quiet" } : { glyph: "◐", word: `not delivered yet${status}`, tone: "warn" };
}

/** The attempts of a message and the time of the next one. */
export function attemptsOf({ attempts, next_at, last_seconds }: DeliveryEntry): string {
  const took = last_seconds === null ? "" : `, the last took ${last_seconds.toFixed(2)} s`;
  return `${plural(attempts, "attempt")}${took}${next_at && attempts > 0 ? `; next ${formatZonedTime(next_at)}` : ""}`;
}

const ERRORS: Record<string, string> = {
  blocked: "the address is not allowed",
  timeout: "no answer in time",
  tls: "no secure connection",
  connection: "no connection",
};

/** How one attempt ended, and how long it took. */
export function attemptOutcome({ status, error, seconds }: DeliveryAttempt): string {
  const outcome = status === null ? (ERRORS[error ?? ""] ?? "no answer") : `answer ${status}`;
  return `${outcome}, ${seconds.toFixed(2)} s`;
}

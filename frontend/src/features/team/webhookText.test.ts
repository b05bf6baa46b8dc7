import { describe, expect, it } from "vitest";
import type { DeliveryEntry, WebhookEntry } from "@/api/generated";
import { attemptOutcome, attemptsOf, deliveryState, webhookState } from "./webhookText";

const HOOK: WebhookEntry = { id: "whk_1", url: "https://example.org", description: "", events: [], created_at: "2026-11-22T10:00:00Z", failing_since: null, disabled_at: null, disabled_reason: null };
const SENT: DeliveryEntry = { id: "msg_1", type: "run.completed", run_id: null, state: "pending", attempts: 0, created_at: "2026-11-22T10:00:00Z", next_at: "2026-11-22T10:05:00Z", last_at: null, last_status: null, last_error: null, last_answer: null, last_seconds: null, body: "{}", history: [] };

describe("states of webhooks", () => {
  it.each([
    [{}, /^enabled$/, "good"],
    [{ failing_since: "2026-11-22T10:00:00Z" }, /^failing since Nov 2[12], 2026/, "warn"],
    [{ disabled_at: "2026-11-22T10:00:00Z", disabled_reason: "gone" }, /410/, "bad"],
    [{ disabled_at: "2026-11-22T10:00:00Z", disabled_reason: "paused" }, /^paused$/, "quiet"],
  ] as const)("%o", (changes, word, tone) => {
    const found = webhookState({ ...HOOK, ...changes });
    expect(found.word).toMatch(word);
    expect(found.tone).toBe(tone);
  });

  it.each([
    [{}, "waiting"],
    [{ attempts: 2, last_status: 500 }, "not delivered yet, 500"],
    [{ state: "failed", attempts: 10 }, "failed"],
    [{ state: "delivered", attempts: 1, last_status: 204 }, "delivered, 204"],
  ] as const)("of a message %o", (changes, word) => {
    expect(deliveryState({ ...SENT, ...changes }).word).toBe(word);
  });

  it.each([
    [{ status: 500, error: null }, "answer 500, 0.25 s"],
    [{ status: null, error: "tls" }, "no secure connection, 0.25 s"],
    [{ status: null, error: "later" }, "no answer, 0.25 s"],
  ] as const)("of an attempt %o", (ended, words) => {
    expect(attemptOutcome({ at: "2026-11-22T10:00:00Z", seconds: 0.25, ...ended })).toBe(words);
  });

  it("counts attempts and says when the next one is", () => {
    expect(attemptsOf(SENT)).toBe("0 attempts");
    expect(attemptsOf({ ...SENT, attempts: 1, last_seconds: 0.256 })).toMatch(/^1 attempt, the last took 0\.26 s; next Nov/);
    expect(attemptsOf({ ...SENT, attempts: 1, next_at: null })).toBe("1 attempt");
  });
});

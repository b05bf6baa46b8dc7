import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DeliveryEntry, WebhookEntry } from "@/api/generated";
import { showAt } from "@/testing/render";
import { refusal, serve, type SentRequest } from "@/testing/server";
import { sessionOf } from "@/testing/sessions";
import { WebhooksPage } from "./WebhooksPage";

const HOOK: WebhookEntry = { id: "whk_1", url: "https://hooks.example.org/a", description: "chat", events: ["run.completed"], created_at: "2026-11-22T10:00:00Z", failing_since: null, disabled_at: null, disabled_reason: null };
const FAILED: DeliveryEntry = { id: "msg_1", type: "run.completed", run_id: "run_1", state: "failed", attempts: 10, created_at: "2026-11-22T10:00:00Z", next_at: null, last_at: "2026-11-22T11:00:00Z", last_status: 500, last_error: null, last_answer: "oops", last_seconds: 0.2, body: '{"type":"run.completed"}', history: [{ at: "2026-11-22T10:00:00Z", status: null, error: "timeout", seconds: 15 }, { at: "2026-11-22T11:00:00Z", status: 500, error: null, seconds: 0.2 }] };

let hooks: WebhookEntry[];
let sent: DeliveryEntry[];
let refused: Response | null;
let requests: SentRequest[];

function answer({ path, method, body }: SentRequest): unknown {
  if (method !== "GET" && refused) return refused;
  if (method === "DELETE") {
    hooks = [];
    return new Response(null, { status: 204 });
  }
  if (method === "PATCH") {
    hooks = [{ ...HOOK, disabled_at: (body as { enabled: boolean }).enabled ? null : HOOK.created_at, disabled_reason: "paused" }];
    return hooks[0];
  }
  if (path.endsWith(":test")) {
    sent = [{ ...FAILED, id: "msg_2", type: "webhook.test", run_id: null, state: "pending", attempts: 0, last_status: null, last_answer: null, last_seconds: null }, ...sent];
    return sent[0];
  }
  if (path.endsWith(":redeliver")) {
    sent = [{ ...FAILED, state: "delivered", last_status: 204, last_answer: "" }];
    return sent[0];
  }
  if (path.endsWith("/deliveries")) return { data: sent, next_cursor: null };
  if (method === "POST") {
    hooks = [HOOK];
    return { ...HOOK, secret: "whsec_abc" };
  }
  return { data: hooks };
}

beforeEach(() => {
  Object.assign(HTMLDialogElement.prototype, { showModal(this: HTMLDialogElement) { this.open = true; }, close(this: HTMLDialogElement) { this.open = false; } });
  hooks = [HOOK];
  sent = [FAILED];
  refused = null;
  requests = serve(answer);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const show = (role: "viewer" | "admin" = "admin") => showAt("/team/webhooks", { "/team/webhooks": <WebhooksPage /> }, undefined, sessionOf(role));
const changes = () => requests.filter(({ method }) => method !== "GET");

async function fill(url: string) {
  fireEvent.click(await screen.findByRole("button", { name: "New webhook" }));
  fireEvent.change(screen.getByLabelText("Destination"), { target: { value: url } });
  fireEvent.click(screen.getByRole("button", { name: /run\.cancelled/ }));
  fireEvent.click(screen.getByRole("button", { name: "Create webhook" }));
}

describe("WebhooksPage", () => {
  it("creates a webhook and shows its secret once", async () => {
    hooks = [];
    show();
    await screen.findByText("No webhooks yet");
    await fill(HOOK.url);
    expect(await screen.findByDisplayValue("whsec_abc")).toBeTruthy();
    expect(changes()[0]?.body).toEqual({ url: HOOK.url, description: "", events: ["run.completed", "run.incomplete", "run.threshold_failed", "history.change_shown"] });
    fireEvent.click(screen.getByRole("button", { name: "New webhook" }));
    expect(screen.queryByDisplayValue("whsec_abc")).toBeNull();
  });

  it("shows at its field why a destination is refused, and keeps what was typed", async () => {
    refused = refusal(422, { title: "Invalid", code: "invalid", errors: [{ pointer: "/url", code: "target_not_allowed", detail: "10.0.0.1 is a private address" }] });
    show();
    await fill("https://10.0.0.1/");
    const field = await screen.findByDisplayValue("https://10.0.0.1/");
    await waitFor(() => expect(field.getAttribute("aria-invalid")).toBe("true"));
    expect(document.getElementById(field.getAttribute("aria-describedby")!)!.textContent).toContain("10.0.0.1 is a private address");
  });

  it("sends a test message and shows it in the log", async () => {
    show();
    fireEvent.click(await screen.findByRole("button", { name: "Send a test message to chat" }));
    const row = await screen.findByRole("row", { name: /webhook\.test/ });
    expect(within(row).getByText("waiting")).toBeTruthy();
    expect(within(row).queryByRole("button", { name: /again$/ })).toBeNull();
  });

  it("sends a failed message again", async () => {
    show();
    fireEvent.click(await screen.findByRole("button", { name: "Messages to chat" }));
    expect(await screen.findByText("failed, 500")).toBeTruthy();
    expect(screen.getByText(/^10 attempts/)).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: /^Send run\.completed of .* again$/ }));
    expect(await screen.findByText("delivered, 204")).toBeTruthy();
    expect(changes().map(({ path }) => path)).toEqual(["/api/v1/webhooks/whk_1/deliveries/msg_1:redeliver"]);
  });

  it("pauses a webhook; a paused one sends no test", async () => {
    show();
    fireEvent.click(await screen.findByRole("button", { name: "Pause chat" }));
    expect(await screen.findByText("paused")).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Send a test message to chat" }).disabled).toBe(true);
    expect(screen.getByRole("button", { name: "Enable chat" })).toBeTruthy();
  });

  it("deletes a webhook after a question", async () => {
    show();
    fireEvent.click(await screen.findByRole("button", { name: "Delete chat" }));
    expect(changes()).toEqual([]);
    fireEvent.click(screen.getByRole("button", { name: "Delete webhook" }));
    expect(await screen.findByText("No webhooks yet")).toBeTruthy();
  });

  it("offers a viewer nothing and asks for nothing", async () => {
    show("viewer");
    await screen.findByText(/Only administrators of the team manage webhooks/);
    expect(screen.queryByRole("button")).toBeNull();
    expect(requests).toEqual([]);
  });
});

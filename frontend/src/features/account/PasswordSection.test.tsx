import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Account } from "@/api/generated";
import { showAt } from "@/testing/render";
import { refusal, serve, type SentRequest } from "@/testing/server";
import { PasswordSection } from "./PasswordSection";

const ACCOUNT: Account = { id: "acc_1", name: "Ada", email: "ada@example.org", created_at: "2026-11-01T10:00:00.000Z", has_password: true, password_change_needs: "current_password" };
const NEW = "copper lantern, nine quiet rivers";

let account: Account;
let refuses: Response | null;
let requests: SentRequest[];

beforeEach(() => {
  account = ACCOUNT;
  refuses = null;
  requests = serve(({ method }) => (method === "PUT" ? (refuses ?? new Response(null, { status: 204 })) : account));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const sent = () => requests.filter(({ method }) => method === "PUT").map(({ body }) => body);

function show(change: Partial<Account> = {}): void {
  account = { ...ACCOUNT, ...change };
  showAt("/", { "/": <PasswordSection /> });
}

async function submit(): Promise<void> {
  fireEvent.change(await screen.findByLabelText("New password"), { target: { value: NEW } });
  const current = screen.queryByLabelText("Current password");
  if (current) fireEvent.change(current, { target: { value: "the old one" } });
  fireEvent.click(screen.getByRole("button", { name: /^(Change|Set) password$/ }));
}

describe("PasswordSection", () => {
  it("changes the password by the current one and forgets both", async () => {
    show();
    await submit();
    await screen.findByText(/Your other browsers are signed out/);
    expect(sent()).toEqual([{ current_password: "the old one", new_password: NEW }]);
    expect(screen.getByLabelText("New password")).toHaveProperty("value", "");
    expect(screen.getByLabelText("Current password").getAttribute("autocomplete")).toBe("current-password");
    expect(screen.getByLabelText("New password").getAttribute("autocomplete")).toBe("new-password");
  });

  it("asks for no current password after a one-time link", async () => {
    show({ password_change_needs: "nothing" });
    await submit();
    await screen.findByText(/signed out/);
    expect(sent()).toEqual([{ new_password: NEW }]);
  });

  it("shows the server's advice at the field", async () => {
    const detail = "too easy to guess. Add another word or two.";
    refuses = refusal(422, { code: "password_too_weak", detail, errors: [{ pointer: "/new_password", code: "password_too_weak", detail }] });
    show();
    await submit();
    await screen.findByText(/too easy to guess/);
    expect(screen.getByLabelText("New password").getAttribute("aria-invalid")).toBe("true");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("says how long it is paused", async () => {
    refuses = Response.json({ status: 429, code: "sign_in_paused", title: "Sign-in is paused" }, { status: 429, headers: { "Retry-After": "30" } });
    show();
    await submit();
    await screen.findByText(/Try again in \d+ s/);
    expect(screen.getByRole("button", { name: "Change password" })).toHaveProperty("disabled", true);
  });

  it("says what is needed first", async () => {
    show({ email: null, has_password: false, password_change_needs: "nothing" });
    await screen.findByText(/email address first/);
    cleanup();
    show({ has_password: false, password_change_needs: "recent_sign_in" });
    await screen.findByText(/sign in again/);
    expect(screen.queryByLabelText("New password")).toBeNull();
  });
});

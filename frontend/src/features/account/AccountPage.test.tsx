import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Account, Session, SessionEntry, TokenEntry } from "@/api/generated";
import { showAt } from "@/testing/render";
import { refusal, serve, type SentRequest } from "@/testing/server";
import { AccountPage } from "./AccountPage";
import { browserName } from "./browserName";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const CHROME = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const AT = "2026-11-01T10:00:00.000Z";
const SESSION: Session = {
  kind: "session",
  account: { id: "acc_1", name: "Ada", email: null, installation_admin: false },
  team: { id: "tem_1", name: "Networks", role: "runner", needs_second_factor: false },
  teams: [],
  permissions: ["read", "write", "share"],
  csrf_token: "c",
  scopes: null,
};
const BROWSER: SessionEntry = { id: "ses_1", current: true, method: "password", address: "192.0.2.7", client: FIREFOX, created_at: AT, last_used_at: AT, expires_at: AT };
const OTHER: SessionEntry = { ...BROWSER, id: "ses_2", current: false, method: "link", client: CHROME };
const TOKEN: TokenEntry = { id: "tok_1", name: "nightly", prefix: "plm_abcdef", account_id: "acc_1", account_name: "Ada", scopes: ["run:read"], created_at: AT, expires_at: null, last_used_at: null };

let requests: SentRequest[];
let session: Session;
let browsers: SessionEntry[];
let tokens: TokenEntry[];
let account: Account;
let refuses: Response | null;

function answer({ path, method, body }: SentRequest): unknown {
  if (method !== "GET" && refuses) return refuses;
  if (path.endsWith("/session")) return session;
  if (path.endsWith("/second-factor")) return { confirmed_at: null, recovery_codes: 0, proved: false, recent_sign_in: true, required_by: [] };
  if (path.endsWith("/identities")) return { data: [] };
  if (path.endsWith("/sign-in")) return { provider: null };
  if (path.endsWith("/account")) {
    if (method === "PATCH") account = { ...account, ...(body as object) };
    return account;
  }
  if (method === "DELETE") {
    browsers = browsers.filter(({ id }) => !path.endsWith(id));
    tokens = tokens.filter(({ id }) => !path.endsWith(id));
    return new Response(null, { status: 204 });
  }
  if (path.endsWith("/sessions")) return { data: browsers };
  if (path.endsWith("/tokens")) return method === "POST" ? { id: "tok_2", token: "plm_secret" } : { data: tokens };
  return undefined;
}

beforeEach(() => {
  session = SESSION;
  browsers = [BROWSER, OTHER];
  tokens = [TOKEN];
  account = { id: "acc_1", name: "Ada", email: null, created_at: AT, has_password: false, password_change_needs: "nothing" };
  refuses = null;
  requests = serve(answer);
  showAt("/account", { "/account": <AccountPage /> });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const sent = (method: string) => requests.filter((each) => each.method === method);

describe("AccountPage", () => {
  it("saves name and email address", async () => {
    const email = await screen.findByRole("textbox", { name: "Email address" });
    const save = screen.getByRole("button", { name: "Save" });
    expect(save).toHaveProperty("disabled", true);
    fireEvent.change(email, { target: { value: "ada@example.org" } });
    fireEvent.click(save);
    await screen.findByText("Saved.");
    expect(sent("PATCH")[0]?.body).toEqual({ name: "Ada", email: "ada@example.org" });
  });

  it("signs out all other browsers, then this one, after a question", async () => {
    const question = vi.fn(() => false);
    vi.stubGlobal("confirm", question);
    const button = await screen.findByRole("button", { name: "Sign out everywhere" });
    fireEvent.click(button);
    expect(sent("DELETE")).toEqual([]);
    question.mockReturnValue(true);
    fireEvent.click(button);
    await waitFor(() => expect(sent("DELETE").map(({ path }) => path)).toEqual(["/api/v1/sessions/ses_2", "/api/v1/session"]));
  });

  it("shows at its field that another account has the address", async () => {
    const detail = "another account has this address";
    refuses = refusal(422, { code: "email_taken", detail, errors: [{ pointer: "/email", code: "email_taken", detail }] });
    const email = await screen.findByRole("textbox", { name: "Email address" });
    fireEvent.change(email, { target: { value: "grace@example.org" } });
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    await screen.findByText(/another account has this address/);
    expect(email.getAttribute("aria-invalid")).toBe("true");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("signs another browser out, and offers no such button for this one", async () => {
    const own = await screen.findByRole("row", { name: /Firefox on Linux/ });
    expect(within(own).getByText(/this one/)).toBeTruthy();
    expect(within(own).queryByRole("button")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: /^Sign out Chrome on macOS/ }));
    await waitFor(() => expect(screen.queryByText("Chrome on macOS")).toBeNull());
    expect(sent("DELETE")[0]?.path).toBe("/api/v1/sessions/ses_2");
  });

  it("makes a token with scopes and lifetime, and shows it once", async () => {
    fireEvent.change(await screen.findByRole("textbox", { name: "Name of the new token" }), { target: { value: "pipeline" } });
    fireEvent.click(await screen.findByRole("checkbox", { name: /run:write/ }));
    fireEvent.change(screen.getByRole("combobox", { name: "Lifetime" }), { target: { value: "90" } });
    fireEvent.click(screen.getByRole("button", { name: "Create token" }));
    expect(await screen.findByDisplayValue("plm_secret")).toBeTruthy();
    expect(sent("POST")[0]?.body).toEqual({ name: "pipeline", scopes: ["run:read", "run:write"], expires_in_days: 90 });
  });

  it("offers a runner no scope admin, and nobody a token that never expires", async () => {
    await screen.findByText(/runner of Networks/);
    await screen.findByRole("checkbox", { name: /share:write/ });
    expect(screen.queryByRole("checkbox", { name: /^admin/ })).toBeNull();
    const offered = within(screen.getByRole("combobox", { name: "Lifetime" })).getAllByRole("option");
    expect(offered.map((option) => option.getAttribute("value"))).toEqual(["7", "30", "90", "365"]);
  });

  it("leads from the tokens to what a script can do with one", async () => {
    const link = await screen.findByRole("link", { name: "API" });
    expect(link.getAttribute("href")).toBe("/api-docs");
    expect(link.closest("section")?.id).toBe("tokens");
  });

  it("revokes a token after a question", async () => {
    const confirm = vi.spyOn(window, "confirm").mockReturnValueOnce(false).mockReturnValueOnce(true);
    const revoke = await screen.findByRole("button", { name: "Revoke the token nightly of Ada" });
    fireEvent.click(revoke);
    expect(sent("DELETE")).toHaveLength(0);
    fireEvent.click(revoke);
    await waitFor(() => expect(screen.queryByRole("row", { name: /nightly/ })).toBeNull());
    expect(confirm).toHaveBeenCalledTimes(2);
  });
});

describe("browserName", () => {
  it("names browser and system", () => {
    expect(browserName(FIREFOX)).toBe("Firefox on Linux");
    expect(browserName(CHROME)).toBe("Chrome on macOS");
    expect(browserName(`${CHROME} Edg/140.0`)).toBe("Edge on macOS");
  });

  it("shows what it does not know as it is", () => {
    expect(browserName("curl/8.5")).toBe("curl/8.5");
    expect(browserName("")).toBe("no name");
  });
});

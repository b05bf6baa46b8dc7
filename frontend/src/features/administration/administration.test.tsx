import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { AccountEntry, StorageReport, TeamEntry, TeamQuota } from "@/api/generated";
import { showAt } from "@/testing/render";
import { refusal, serve, type SentRequest } from "@/testing/server";
import { sessionOf } from "@/testing/sessions";
import { AccountsPage } from "./AccountsPage";
import { InstallationAuditPage } from "./InstallationAuditPage";
import { hintOf, limitsOf } from "./quotaFields";
import { TeamsPage } from "./TeamsPage";

const ROOT = sessionOf("admin", { account: { id: "acc_1", name: "Root", email: null, installation_admin: true } });
const TEAM: TeamEntry = { id: "tem_2", name: "Lab", created_at: "2026-11-22T10:00:00Z", members: 0, administrators: 0, experiments: 1, runs: 3 };
const STORAGE: StorageReport = { database_bytes: 7_000_000, tables: [{ name: "result", bytes: 5_000_000 }], teams: [{ id: "tem_2", name: "Edge", bytes: 4_000_000, limit: 10_000_000_000 }] };
const GRACE: AccountEntry = {
  id: "acc_2", name: "Grace", email: "grace@example.org", installation_admin: false, disabled: false, created_at: "2026-11-22T10:00:00Z", last_sign_in_at: null,
  has_password: true, has_provider: false, has_second_factor: false, teams: [{ id: "tem_1", name: "Kernel team", role: "runner" }],
};
const QUOTA: TeamQuota = { quota: "active_runs", unit: "runs", used: 2, limit: 50, default: 50, own: null, level: "ok" };
const LINE = { id: "1", at: "2026-11-22T10:00:00Z", actor: "Root", account_id: "acc_1", token_prefix: null, action: "setAccountAccess", object: "acc_2", status: 409, code: "own_account", address: "192.0.2.7", request_id: "r", team_id: null };

let disabled = false;

function answer({ method, path }: SentRequest): unknown {
  if (path.endsWith("/invitations") || path.endsWith("/sign-in-links")) return { id: "lnk_1", url: "https://plimsoll.test/#secret", expires_at: TEAM.created_at };
  if (path.endsWith("/quotas")) return { data: [method === "PUT" ? { ...QUOTA, own: 3, limit: 3 } : QUOTA] };
  if (path.endsWith("/teams") && method === "POST") return { id: "tem_3", name: "New", invitation: { id: "lnk_1", url: "https://plimsoll.test/invitation#secret", expires_at: TEAM.created_at } };
  if (path.endsWith("/storage")) return STORAGE;
  if (path.endsWith("/teams")) return { data: [TEAM], next_cursor: null };
  if (path.endsWith("/accounts/acc_2") && method === "PATCH") {
    disabled = true;
    return { ...GRACE, disabled };
  }
  if (path.endsWith("/accounts")) return { data: [{ ...GRACE, disabled }], next_cursor: null };
  if (path.endsWith("/installation/audit")) return { data: [LINE], next_cursor: null };
  return new Response(null, { status: 204 });
}

HTMLDialogElement.prototype.showModal = function () {
  this.open = true;
};

afterEach(() => {
  cleanup();
  disabled = false;
  vi.unstubAllGlobals();
});

const show = (session = ROOT) =>
  showAt("/administration", { "/administration": <TeamsPage />, "/administration/accounts": <AccountsPage />, "/administration/audit": <InstallationAuditPage /> }, undefined, session);

describe("the administration", () => {
  it("asks for nothing unless the account administers the installation", () => {
    const requests = serve(answer);
    show(sessionOf("admin"));
    expect(screen.getByText(/Only administrators of the installation/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Create" })).toBeNull();
    expect(requests).toEqual([]);
  });

  it("shows what takes the disk", async () => {
    serve(answer);
    show();
    expect(await screen.findByText("The database takes 7 MB: result 5 MB")).toBeTruthy();
    expect(within(screen.getByRole("row", { name: /Edge/ })).getAllByRole("cell").map(({ textContent }) => textContent)).toEqual(["4 MB", "10 GB", ""]);
  });

  it("creates a team and shows the invitation of its administrator once", async () => {
    const requests = serve(answer);
    show();
    fireEvent.change(screen.getByLabelText("Name"), { target: { value: " New " } });
    fireEvent.click(screen.getByRole("button", { name: "Create" }));
    expect((await screen.findByLabelText<HTMLInputElement>(/Invitation of the first administrator of New/)).value).toContain("#secret");
    expect(requests.find(({ method }) => method === "POST")?.body).toEqual({ name: "New" });
    expect(await screen.findByText("no administrator yet")).toBeTruthy();
  });

  it("says at its field why a team is refused", async () => {
    serve((request) => (request.method === "POST" ? refusal(409, { title: "Conflict", code: "name_taken", detail: "another team has this name", errors: [] }) : answer(request)));
    show();
    fireEvent.change(screen.getByLabelText("Name"), { target: { value: "Lab" } });
    fireEvent.click(screen.getByRole("button", { name: "Create" }));
    await screen.findByText(/another team has this name/);
  });

  it("sets limits of a team, and deletes no team that has runs", async () => {
    const requests = serve(answer);
    show();
    fireEvent.click(await screen.findByRole("button", { name: "Manage the team Lab" }));
    fireEvent.change(await screen.findByLabelText("Active runs"), { target: { value: "3" } });
    fireEvent.click(screen.getByRole("button", { name: "Save quotas" }));
    await waitFor(() => expect(requests.find(({ method }) => method === "PUT")?.body).toEqual({ active_runs: 3 }));
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Delete the team" }).disabled).toBe(true);
    expect(screen.getByText(/1 experiment and 3 runs/)).toBeTruthy();
  });

  it("makes a sign-in link and disables an account after a question", async () => {
    const requests = serve(answer);
    vi.stubGlobal("confirm", () => true);
    show();
    fireEvent.click(screen.getByRole("link", { name: "Accounts" }));
    const row = await screen.findByRole("row", { name: /Grace/ });
    expect(within(row).getAllByRole("cell").slice(0, 3).map(({ textContent }) => textContent)).toEqual(["Kernel team (runner)", "password", "never"]);
    fireEvent.click(within(row).getByRole("button"));
    fireEvent.click(screen.getByRole("button", { name: "Make a sign-in link" }));
    expect((await screen.findByLabelText<HTMLInputElement>("Sign-in link of Grace")).value).toContain("#secret");
    fireEvent.click(screen.getByRole("button", { name: "Disable" }));
    await screen.findByRole("button", { name: "Enable" });
    expect(screen.getByRole("button", { name: "Delete the account" })).toBeTruthy();
    expect(requests.find(({ method }) => method === "PATCH")?.body).toEqual({ disabled: true });
  });

  it("sets the email address of an account, and says at its field why one is refused", async () => {
    const requests = serve((request) => {
      if (request.method === "PATCH" && (request.body as { email: string }).email.startsWith("taken")) {
        return refusal(422, { title: "Invalid", code: "email_taken", detail: "taken", errors: [{ pointer: "/email", code: "email_taken", detail: "another account has this address" }] });
      }
      return answer(request);
    });
    show();
    fireEvent.click(screen.getByRole("link", { name: "Accounts" }));
    fireEvent.click(await screen.findByRole("button", { name: "Manage the account of Grace" }));
    const field = screen.getByLabelText<HTMLInputElement>("Email address", { selector: "input" });
    const save = screen.getByRole<HTMLButtonElement>("button", { name: "Save the address" });
    expect([field.value, save.disabled]).toEqual(["grace@example.org", true]);
    fireEvent.change(field, { target: { value: "taken@example.org" } });
    fireEvent.click(save);
    expect(await screen.findByText("another account has this address")).toBeTruthy();
    fireEvent.change(field, { target: { value: " grace@example.com " } });
    fireEvent.click(save);
    await waitFor(() => expect(requests.filter(({ method }) => method === "PATCH").at(-1)).toMatchObject({ path: "/api/v1/accounts/acc_2", body: { email: "grace@example.com" } }));
  });

  it("adds an account to another team", async () => {
    const requests = serve(answer);
    show();
    fireEvent.click(screen.getByRole("link", { name: "Accounts" }));
    fireEvent.click(await screen.findByRole("button", { name: "Manage the account of Grace" }));
    await screen.findByRole("option", { name: "Lab" });
    fireEvent.change(screen.getByLabelText("Another team"), { target: { value: "tem_2" } });
    fireEvent.click(screen.getByRole("button", { name: "Add" }));
    await waitFor(() => expect(requests.find(({ method }) => method === "PUT")).toMatchObject({ path: "/api/v1/teams/tem_2/members/acc_2", body: { role: "runner" } }));
  });

  it("shows the whole audit log", async () => {
    serve(answer);
    show();
    fireEvent.click(screen.getByRole("link", { name: "Audit log" }));
    const row = await screen.findByRole("row", { name: /Set account access/ });
    expect(row.textContent).toContain("refused, 409 own_account");
  });
});

describe("fields of quotas", () => {
  it("are whole numbers, or empty for the installation's limit", () => {
    expect(limitsOf({ active_runs: " 3 ", stored_bytes: "" })).toEqual({ active_runs: 3, stored_bytes: null });
    expect(limitsOf({ active_runs: "-1" })).toBeNull();
    expect(limitsOf({ active_runs: "1e3" })).toBeNull();
  });
  it("show the use and the limit of the installation", () => {
    expect(hintOf(QUOTA)).toBe("2 used; 50 unless set");
    expect(hintOf({ ...QUOTA, used: null, unit: "s", default: 4200 })).toMatch(/^1 h 10 min unless set$|unless set$/);
  });
});

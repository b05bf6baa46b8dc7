import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AuditLine } from "@/api/generated";
import { showAt } from "@/testing/render";
import { serve, type SentRequest } from "@/testing/server";
import { sessionOf } from "@/testing/sessions";
import { AuditPage } from "./AuditPage";

const DONE: AuditLine = { id: "2", at: "2026-11-22T10:00:00Z", actor: "Ada", account_id: "acc_1", token_prefix: null, action: "startRun", object: "exp_1", created: "run_1", status: 202, code: null, address: "192.0.2.7", request_id: "req-2" };
const REFUSED: AuditLine = { ...DONE, id: "1", actor: "Bob", account_id: "acc_2", token_prefix: "plm_ab", action: "deleteRun", object: "run_1", created: null, status: 403, code: "forbidden", request_id: "req-1" };

let requests: SentRequest[];

beforeEach(() => {
  requests = serve(({ path, query }) => {
    if (path.endsWith("/members")) return { data: [{ account_id: "acc_2", name: "Bob", email: null, role: "runner", disabled: false, joined_at: DONE.at }] };
    if (query.get("action") === "importRun") return { data: [], next_cursor: null };
    return query.get("cursor") ? { data: [REFUSED], next_cursor: null } : { data: [DONE], next_cursor: "older" };
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const show = (address = "/team/audit", role: "viewer" | "admin" = "admin") => showAt(address, { "/team/audit": <AuditPage /> }, undefined, sessionOf(role));
const queried = () => requests.filter(({ path }) => path.endsWith("/audit"));

describe("AuditPage", () => {
  it("shows who did what, its outcome, the time with its zone and the request id, page by page", async () => {
    show();
    fireEvent.click(await screen.findByRole("button", { name: "Older entries" }));
    const refused = await screen.findByRole("row", { name: /Delete run/ });
    expect(within(refused).getAllByRole("cell").map(({ textContent }) => textContent)).toEqual(["Delete run", "Bob, token plm_ab…", "run_1", "⊘refused, 403 forbidden", "192.0.2.7", "req-1"]);
    expect(within(refused).getByRole("rowheader").textContent).toMatch(/2026.* (UTC|GMT)/);
    expect(within(screen.getByRole("row", { name: /Start run/ })).getByText("exp_1").closest("a")).toBeNull();
    expect(within(screen.getByRole("row", { name: /Start run/ })).getByRole("link").getAttribute("href")).toBe("/runs/run_1");
    expect(screen.queryByRole("button", { name: "Older entries" })).toBeNull();
  });

  it("filters by action, outcome, account and time, by the address", async () => {
    show("/team/audit?outcome=refused&account_id=acc_2");
    await screen.findByRole("row", { name: /Start run/ });
    fireEvent.change(screen.getByLabelText("From"), { target: { value: "2026-11-22T10:30" } });
    await waitFor(() => expect(queried()).toHaveLength(2));
    const [first, second] = queried();
    expect(Object.fromEntries(first!.query)).toEqual({ limit: "100", outcome: "refused", account_id: "acc_2" });
    expect(second!.query.get("since")).toBe(new Date("2026-11-22T10:30").toISOString());
    await waitFor(() => expect((screen.getByLabelText("Account")).textContent).toContain("Bob"));
  });

  it("offers all entries where none matches", async () => {
    show("/team/audit?action=importRun");
    fireEvent.click(await screen.findByRole("button", { name: "Show all entries" }));
    await screen.findByRole("row", { name: /Start run/ });
  });

  it("asks for nothing as a viewer, and says who reads it", async () => {
    show("/team/audit", "viewer");
    await screen.findByText(/Only administrators of the team read the audit log/);
    expect(requests).toEqual([]);
    expect(screen.queryByRole("link", { name: "Audit log" })).toBeNull();
  });
});

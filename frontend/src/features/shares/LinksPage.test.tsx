import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Session, ShareEntry } from "@/api/generated";
import { queries } from "@/api/queries";
import { showAt } from "@/testing/render";
import { refusal, serve, type SentRequest } from "@/testing/server";
import { LinksPage } from "./LinksPage";

const TIMES = { created_at: "2026-11-01T10:00:00Z", expires_at: "2026-12-01T10:00:00Z" };
const PRIVATE: ShareEntry = { ...TIMES, id: "shr_2", run_id: "run_1", run_title: "A run", kind: "private", mode: "snapshot", title: null, created_by: "Ada", state: "open", opens: 1, last_used_at: "2026-11-02T10:00:00Z" };
const POSTED: ShareEntry = { ...PRIVATE, id: "shr_1", kind: "unfurl", mode: "live", title: "Ours", created_by: null, state: "expired", opens: 0, last_used_at: null };

let kept: ShareEntry[];
let requests: SentRequest[];
let refuses = false;

function answer({ path, method, query }: SentRequest): unknown {
  if (method === "DELETE") {
    if (refuses) return refusal(403, { title: "Forbidden", detail: "your role may not revoke links", code: "forbidden" });
    kept = kept.map((each) => (path.endsWith(each.id) ? { ...each, state: "revoked" } : each));
    return new Response(null, { status: 204 });
  }
  return query.get("cursor") === "older" ? { data: kept.slice(1), next_cursor: null } : { data: kept.slice(0, 1), next_cursor: kept.length > 1 ? "older" : null };
}

beforeEach(() => {
  Object.assign(HTMLDialogElement.prototype, { showModal(this: HTMLDialogElement) { this.open = true; }, close(this: HTMLDialogElement) { this.open = false; } });
  kept = [PRIVATE, POSTED];
  refuses = false;
  requests = serve(answer);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const cells = (row: HTMLElement) => within(row).getAllByRole("cell").map(({ textContent }) => textContent);

describe("LinksPage", () => {
  it("lists links page by page", async () => {
    showAt("/links", { "/links": <LinksPage /> });
    fireEvent.click(await screen.findByRole("button", { name: "Older links" }));
    const posted = await screen.findByRole("row", { name: /^Ours/ });
    expect(cells(posted)[0]).toBe("To post, live");
    expect(cells(posted)[2]).toBe("not used yet");
    expect(within(posted).queryByRole("button")).toBeNull();
    const first = screen.getByRole("row", { name: /^A run/ });
    expect(cells(first)[0]).toBe("Private, frozen");
    expect(cells(first)[1]).toMatch(/ by Ada$/);
    expect(cells(posted)[1]).not.toContain(" by ");
    expect(cells(first)[2]).toMatch(/^opened 1 time, last used /);
    expect(within(first).getByRole("link").getAttribute("href")).toBe("/runs/run_1");
    expect(screen.queryByRole("button", { name: "Older links" })).toBeNull();
  });

  it("revokes a link after a question", async () => {
    showAt("/links", { "/links": <LinksPage /> });
    fireEvent.click(await screen.findByRole("button", { name: /^Revoke the link to A run/ }));
    expect(requests.filter(({ method }) => method === "DELETE")).toHaveLength(0);
    fireEvent.click(screen.getByRole("button", { name: "Revoke link" }));
    expect(await screen.findByText("revoked: it no longer works")).toBeTruthy();
    expect(requests.find(({ method }) => method === "DELETE")?.url).toBe("/api/v1/shares/shr_2");
  });

  it("shows why a link was not revoked", async () => {
    refuses = true;
    showAt("/links", { "/links": <LinksPage /> });
    fireEvent.click(await screen.findByRole("button", { name: /^Revoke the link to A run/ }));
    fireEvent.click(screen.getByRole("button", { name: "Revoke link" }));
    expect(await screen.findByText(/may not revoke/)).toBeTruthy();
  });

  it("offers no revocation to an account that may not share", async () => {
    const client = showAt("/links", { "/links": <LinksPage /> });
    await screen.findByRole("button", { name: /^Revoke the link/ });
    const viewer: Session = {
      kind: "session",
      account: { id: "acc_1", name: "Vi", email: null, installation_admin: false },
      team: null,
      teams: [],
      permissions: ["read"],
      csrf_token: null,
      scopes: null,
    };
    client.setQueryData(queries.session().queryKey, viewer);
    await waitFor(() => expect(screen.queryByRole("button", { name: /^Revoke the link/ })).toBeNull());
  });

  it("says where links are made while there are none", async () => {
    kept = [];
    showAt("/links", { "/links": <LinksPage /> });
    expect(await screen.findByText("No links yet")).toBeTruthy();
  });
});

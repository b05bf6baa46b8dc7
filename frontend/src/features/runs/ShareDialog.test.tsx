import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ShareEntry, ShareStart } from "@/api/generated";
import { showAt } from "@/testing/render";
import { serve, type SentRequest } from "@/testing/server";
import { ShareDialog } from "./ShareDialog";

let kept: ShareEntry[];
let requests: SentRequest[];

const SAVED = { run_id: "r", run_title: "A run", kind: "private", mode: "snapshot", title: null, created_by: null, last_used_at: null, opens: 0 } as const;
const entry = (id: string, state: ShareEntry["state"]): ShareEntry => ({ ...SAVED, id, state, created_at: `2026-11-0${id.at(-1)}T10:00:00Z`, expires_at: "2026-12-01T10:00:00Z" });

function answer({ path, method, body }: SentRequest): unknown {
  if (method === "DELETE") {
    kept = kept.map((each) => (path.endsWith(each.id) ? { ...each, state: "revoked" } : each));
    return new Response(null, { status: 204 });
  }
  if (method !== "POST") return { data: kept };
  kept = [entry("shr_3", "open"), ...kept];
  const url = (body as ShareStart).kind === "unfurl" ? "/x/secret" : "/shared#secret";
  return { ...(body as ShareStart), id: "shr_3", token: "secret", url, absolute_url: `https://plimsoll.example.org${url}`, expires_at: "2026-12-01T10:00:00Z" };
}

beforeEach(() => {
  Object.assign(HTMLDialogElement.prototype, { showModal(this: HTMLDialogElement) { this.open = true; }, close(this: HTMLDialogElement) { this.open = false; } });
  kept = [entry("shr_2", "open"), entry("shr_1", "expired")];
  requests = serve(answer);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(ended = true) {
  showAt("/", { "/": <ShareDialog runId="r" runTitle="A [run]" ended={ended} open onClose={() => undefined} /> });
}

const sent = () => requests.find(({ method }) => method === "POST")?.body;

const list = () => screen.findByRole("region", { name: "Links of this result" });

describe("ShareDialog", () => {
  it("lists earlier links and revokes one", async () => {
    show();
    expect(within(await list()).getAllByRole("listitem")).toHaveLength(2);
    fireEvent.click(screen.getByRole("button", { name: /^Revoke/ }));
    expect(await screen.findByText("revoked: it no longer works")).toBeTruthy();
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toContain("DELETE /api/v1/shares/shr_2");
    expect(screen.queryByRole("button", { name: /^Revoke/ })).toBeNull();
  });

  it("shows a new link once, and lists it", async () => {
    show();
    await list();
    fireEvent.click(screen.getByRole("button", { name: "Create link" }));
    expect((await screen.findByLabelText<HTMLInputElement>("Share link")).value).toMatch(/#secret$/);
    expect(await screen.findAllByRole("listitem")).toHaveLength(3);
    expect(screen.queryByLabelText(/Markdown/)).toBeNull();
    expect(sent()).toEqual({ kind: "private", mode: "snapshot", expires_in_days: 30, title: null });
  });

  it("gives a link to post as Markdown and as a frame", async () => {
    show();
    fireEvent.click(screen.getByRole("radio", { name: "To post" }));
    fireEvent.click(screen.getByRole("radio", { name: /when the link is opened/ }));
    fireEvent.change(screen.getByRole("textbox", { name: /^Title/ }), { target: { value: " Ours " } });
    fireEvent.change(screen.getByRole("combobox"), { target: { value: "7" } });
    fireEvent.click(screen.getByRole("button", { name: "Create link" }));
    const url = "https://plimsoll.example.org/x/secret";
    expect((await screen.findByLabelText<HTMLInputElement>("Share link")).value).toBe(url);
    expect(screen.getByLabelText<HTMLInputElement>(/Markdown/).value).toBe(`[![Ours](${url}/image.png)](${url})`);
    expect(screen.getByLabelText<HTMLInputElement>(/^Frame/).value).toContain(`src="${url}/embed" title="Ours"`);
    expect(sent()).toEqual({ kind: "unfurl", mode: "live", expires_in_days: 7, title: "Ours" });
  });

  it("shares a run in progress live only", async () => {
    show(false);
    expect(screen.queryByRole("radio", { name: "The result as it is now" })).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Create link" }));
    await screen.findByLabelText("Share link");
    expect(sent()).toMatchObject({ kind: "private", mode: "live" });
  });
});

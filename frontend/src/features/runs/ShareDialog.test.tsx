import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ShareEntry } from "@/api/generated";
import { serve, type SentRequest } from "@/testing/server";
import { ShareDialog } from "./ShareDialog";

let kept: ShareEntry[];
let requests: SentRequest[];

const SAVED = { run_id: "r", run_title: "A run", kind: "private", mode: "snapshot", title: null, last_used_at: null, opens: 0 } as const;
const entry = (id: string, state: ShareEntry["state"]): ShareEntry => ({ ...SAVED, id, state, created_at: `2026-11-0${id.at(-1)}T10:00:00Z`, expires_at: "2026-12-01T10:00:00Z" });

function answer({ path, method }: SentRequest): unknown {
  if (method === "DELETE") {
    kept = kept.map((each) => (path.endsWith(each.id) ? { ...each, state: "revoked" } : each));
    return new Response(null, { status: 204 });
  }
  if (method !== "POST") return { data: kept };
  kept = [entry("shr_3", "open"), ...kept];
  return { id: "shr_3", token: "secret", url: "/shared#secret", expires_at: "2026-12-01T10:00:00Z" };
}

beforeEach(() => {
  Object.assign(HTMLDialogElement.prototype, { showModal(this: HTMLDialogElement) { this.open = true; }, close(this: HTMLDialogElement) { this.open = false; } });
  kept = [entry("shr_2", "open"), entry("shr_1", "expired")];
  requests = serve(answer);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ShareDialog runId="r" open onClose={() => undefined} />
    </QueryClientProvider>,
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const list = () => screen.findByRole("region", { name: "Links of this result" });

describe("ShareDialog", () => {
  it("lists earlier links and revokes one", async () => {
    expect(within(await list()).getAllByRole("listitem")).toHaveLength(2);
    fireEvent.click(screen.getByRole("button", { name: /^Revoke/ }));
    expect(await screen.findByText("revoked: it no longer works")).toBeTruthy();
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toContain("DELETE /api/v1/shares/shr_2");
    expect(screen.queryByRole("button", { name: /^Revoke/ })).toBeNull();
  });

  it("shows a new link once, and lists it", async () => {
    await list();
    fireEvent.click(screen.getByRole("button", { name: "Create link" }));
    expect((await screen.findByLabelText<HTMLInputElement>("Share link")).value).toMatch(/#secret$/);
    expect(await screen.findAllByRole("listitem")).toHaveLength(3);
  });
});

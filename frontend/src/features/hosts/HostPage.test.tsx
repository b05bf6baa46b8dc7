import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Host } from "@/api/generated";
import { showAt } from "@/testing/render";
import { serve } from "@/testing/server";
import { sessionOf } from "@/testing/sessions";
import { VOCABULARY } from "@/testing/vocabulary";
import { HostPage } from "./HostPage";

const HOST: Host = { id: "hst_1", name: "bench-1", online: true, last_seen_at: "2026-11-20T12:00:00Z", capabilities: { memory_mb: 8000, reasons: {} }, cannot: [], environment: {} };
const AWAY = { part: "redis", since: "2026-11-20T11:00:00Z", until: null, reason: "connection refused", effect: "live figures are missing; trials go on" } as const;
const BACK = { part: "database", since: "2026-11-20T10:00:00Z", until: "2026-11-20T10:02:00Z", reason: "it restarted", effect: "no trial was claimed" } as const;

function show(host: Host) {
  serve(({ path }) => (path.endsWith("/hosts") ? { data: [host] } : path.endsWith("/factors") ? VOCABULARY : undefined));
  showAt("/hosts/bench-1", { "/hosts/:host": <HostPage /> });
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("HostPage", () => {
  it("lists the worker's conditions with since, reason and effect; past ones below", async () => {
    show({ ...HOST, conditions: [BACK, AWAY] });
    const items = within(await screen.findByRole("list", { name: "Conditions of the worker" })).getAllByRole("listitem");
    expect(items.map((item) => item.textContent)).toEqual([expect.stringMatching(/Redis.*since .*11.*connection refused.*live figures are missing/s), expect.stringMatching(/database.*from .*10.*to .*10:02.*it restarted/s)]);
  });

  it("shows no conditions where there are none, and an older worker's memory in the same unit", async () => {
    show(HOST);
    expect(await screen.findByText("7.8 GiB of memory")).toBeTruthy();
    expect(screen.queryByText("Conditions")).toBeNull();
  });
});

describe("the host's network", () => {
  function showAs(isAdmin: boolean, open: boolean) {
    let host_network = open;
    const requests = serve(({ path, method, body }) => {
      if (method === "PATCH") host_network = (body as { host_network: boolean }).host_network;
      const host = { ...HOST, host_network };
      return method === "PATCH" ? host : path.endsWith("/hosts") ? { data: [host] } : path.endsWith("/factors") ? VOCABULARY : undefined;
    });
    const account = { id: "acc_1", name: "Ada", email: null, installation_admin: isAdmin };
    showAt("/hosts/bench-1", { "/hosts/:host": <HostPage /> }, undefined, sessionOf("admin", { account }));
    return requests;
  }

  it("is closed at once and opened after a question, by administrators of the installation", async () => {
    Object.assign(HTMLDialogElement.prototype, { showModal(this: HTMLDialogElement) { this.open = true; }, close(this: HTMLDialogElement) { this.open = false; } });
    const requests = showAs(true, true);
    fireEvent.click(await screen.findByRole("button", { name: "Close to runs" }));
    expect(await screen.findByText(/is refused at its start/)).toBeTruthy();
    fireEvent.click(await screen.findByRole("button", { name: "Open to runs" }));
    fireEvent.click(screen.getByRole("button", { name: "Open to runs of every team" }));
    expect(await screen.findByText("open to runs of every team")).toBeTruthy();
    expect(requests.filter(({ method }) => method === "PATCH").map(({ path, body }) => [path, body])).toEqual([
      ["/api/v1/hosts/bench-1", { host_network: false }],
      ["/api/v1/hosts/bench-1", { host_network: true }],
    ]);
  });

  it("is shown to others without a button", async () => {
    showAs(false, false);
    expect(await screen.findByText("closed to runs")).toBeTruthy();
    expect(screen.getByText(/Only administrators of the installation change this/)).toBeTruthy();
    expect(screen.queryByRole("button")).toBeNull();
  });
});

import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Host } from "@/api/generated";
import { showAt } from "@/testing/render";
import { serve } from "@/testing/server";
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

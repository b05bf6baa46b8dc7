import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LargeRun } from "@/api/generated";
import { showAt } from "@/testing/render";
import { serve, type SentRequest } from "@/testing/server";
import { sessionOf } from "@/testing/sessions";
import { UsagePage } from "./UsagePage";

let days: number | null;
let runs: number;
let large: LargeRun[];
let requests: SentRequest[];
const LARGE: LargeRun = { id: "run_1", experiment_id: "exp_1", title: "Paths", host: "rack-1", trials: 360, stored_bytes: 5_000_000, finished_at: "2026-11-20T10:00:00Z", starred: true };

beforeEach(() => {
  Object.assign(HTMLDialogElement.prototype, { showModal(this: HTMLDialogElement) { this.open = true; }, close(this: HTMLDialogElement) { this.open = false; } });
  days = null;
  runs = 3;
  large = [LARGE, { ...LARGE, id: "run_2", title: "Programs", stored_bytes: 1_000_000, starred: false }];
  requests = serve(({ path, method, body }) => {
    if (path.endsWith("/usage"))
      return { data: [{ quota: "stored_bytes", limit: 10_000_000_000, used: 9_800_000_000, unit: "bytes", level: "near" }, { quota: "cells_per_plan", limit: 10_000, used: null, unit: "cells", level: "ok" }] };
    if (path.endsWith("/largest-runs")) return { data: large };
    if (method === "DELETE") {
      large = large.slice(1);
      return new Response(null, { status: 204 });
    }
    if (path.endsWith(":preview")) return { runs, stored_bytes: 2_500_000, oldest_finished_at: runs ? "2026-01-01T00:00:00Z" : null, starred_runs: 1 };
    if (method === "PUT") days = (body as { days: number | null }).days;
    return { days };
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const show = (role: "viewer" | "admin" = "admin") => showAt("/team/usage", { "/team/usage": <UsagePage /> }, undefined, sessionOf(role));
const changes = () => requests.filter(({ method }) => method !== "GET");

describe("UsagePage", () => {
  it("shows used and limit of each quota", async () => {
    show("viewer");
    const row = await screen.findByRole("row", { name: /Storage/ });
    expect(within(row).getAllByRole("cell").map(({ textContent }) => textContent)).toEqual(["9.8 GB", "10 GB", "98 % used"]);
    expect(within(screen.getByRole("row", { name: /Cells of one plan/ })).getAllByRole("cell").map(({ textContent }) => textContent)).toEqual(["each plan", "10,000", ""]);
  });

  it("warns where the storage is nearly used, and lists the largest runs to delete", async () => {
    show();
    expect(await screen.findByText(/The storage is nearly used/)).toBeTruthy();
    expect(within(await screen.findByRole("row", { name: /Paths/ })).getAllByRole("cell").map(({ textContent }) => textContent).slice(0, 2)).toEqual(["5 MB", "360"]);
    fireEvent.click(screen.getByRole("button", { name: /^Delete Paths/ }));
    expect(screen.getByText("Somebody starred this run.")).toBeTruthy();
    expect(changes()).toEqual([]);
    fireEvent.click(screen.getByRole("button", { name: "Delete for good" }));
    await waitFor(() => expect(screen.queryByRole("row", { name: /Paths/ })).toBeNull());
    expect(changes().map(({ path }) => path)).toEqual([expect.stringMatching(/\/runs\/run_1$/)]);
    expect(screen.getByRole("row", { name: /Programs/ })).toBeTruthy();
  });

  it("says what a retention would delete before it is set", async () => {
    show();
    fireEvent.change(await screen.findByLabelText("Days after the end of a run"), { target: { value: "90" } });
    expect((await screen.findByText(/would be deleted within minutes/)).textContent).toMatch(/^3 runs with 2\.5 MB would be deleted within minutes; the oldest ended .* 1 starred run as old is kept\.$/);
    expect(requests.find(({ path }) => path.endsWith(":preview"))?.query.get("days")).toBe("90");
    fireEvent.click(screen.getByRole("button", { name: "Delete after 90 days" }));
    expect(changes()).toEqual([]);
    fireEvent.click(screen.getByRole("button", { name: "Delete 3 runs now, others later" }));
    expect(await screen.findByText("Ended runs are deleted 90 days after their end.")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Keep all runs" }));
    expect(await screen.findByText("Ended runs are kept until somebody deletes them.")).toBeTruthy();
    expect(changes().map(({ body }) => body)).toEqual([{ days: 90 }, { days: null }]);
  });

  it.each(["0", "1.5", "36501", "-3", "x"])("sends nothing for “%s” days", async (text) => {
    show();
    fireEvent.change(await screen.findByLabelText("Days after the end of a run"), { target: { value: text } });
    expect(screen.getByText(/a whole number from 1/)).toBeTruthy();
    expect(requests.filter(({ path, method }) => path.endsWith(":preview") || method !== "GET")).toEqual([]);
  });

  it("lets a viewer change nothing", async () => {
    days = 30;
    show("viewer");
    await screen.findByText("Ended runs are deleted 30 days after their end.");
    expect(screen.queryByRole("button")).toBeNull();
    expect(screen.queryByRole("textbox")).toBeNull();
  });
});

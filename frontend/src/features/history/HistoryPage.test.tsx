import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { History } from "@/api/generated";
import { CHANGE, history } from "@/testing/histories";
import { showAt } from "@/testing/render";
import { refusal, serve } from "@/testing/server";
import { HistoryPage } from "./HistoryPage";

const LOWER = /^Published port: transactions per second, relative to its baseline, 30 % lower, since between Nov 5, 2026 and Nov 7, 2026$/;

function show(answer: History | Response) {
  const requests = serve(({ path }) => (path.endsWith("/histories/exp_1") ? answer : undefined));
  showAt("/experiments/exp_1/history?host=bench-1", { "/experiments/:experimentId/history": <HistoryPage /> });
  return requests;
}

const cardOf = async (title: string) => within((await screen.findByRole("heading", { name: title })).closest("section")!);

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("HistoryPage", () => {
  it("loads the history of the host in the address", async () => {
    const requests = show(history());
    expect(screen.getByRole("status", { name: "Loading the history" })).toBeTruthy();
    expect(await screen.findByRole("heading", { level: 1, name: "History of Nightly" })).toBeTruthy();
    expect(requests[0]?.query.get("host")).toBe("bench-1");
    expect(screen.getByText("The newest 10 of 12 runs")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Schedules" }).getAttribute("href")).toBe("/schedules?experiment=exp_1");
  });

  it("lists a change, and what coincides with it", async () => {
    show(history());
    const card = await cardOf("Changes");
    const entry = card.getByRole("listitem");
    expect(within(entry).getByRole("button", { name: LOWER })).toBeTruthy();
    expect(entry.textContent).toContain("▼ worse");
    expect(entry.textContent).toContain("5 runs before, 5 after");
    expect(entry.textContent).toContain("adjusted for all 5 series of this history");
    expect(entry.textContent).toContain("In the same time: Kernel: 6.1.0-20 → 6.1.0-21. It coincides; that proves no cause.");
  });

  it("marks the change in the chart and in the line of its cell, and has the figures as a table", async () => {
    show(history());
    const cells = await cardOf("Cells");
    const [first, other] = cells.getAllByRole("row").slice(1);
    expect(first!.textContent).toMatch(/^Published port.*0\.560 ×▼ −30\.0 % · Nov 7, 2026 · worse$/);
    expect([first, other].map((row) => row!.querySelectorAll("rect").length)).toEqual([1, 0]);
    expect(other!.textContent).toMatch(/^Host network.*0\.900 ×none shown$/);
    const chart = await cardOf("Published port");
    expect(document.querySelectorAll(".recharts-reference-area")).toHaveLength(1);
    expect(chart.getByText("◆")).toBeTruthy();
    fireEvent.click(chart.getByRole("button", { name: "Table" }));
    const rows = chart.getAllByRole("row").slice(1);
    expect(rows).toHaveLength(10);
    expect(rows[5]!.textContent).toMatch(/0\.560.*kernel: 6\.1\.0-20 → 6\.1\.0-21$/);
    expect(rows[4]!.textContent).toMatch(/0\.800.*–$/);
    expect(within(rows[5]!).getByRole("link").getAttribute("href")).toBe("/runs/run_5");
  });

  it("shows the series of another cell, and by a click on a change that of the change", async () => {
    show(history());
    const [changed, other] = [await screen.findByRole("button", { name: "Published port" }), screen.getByRole("button", { name: "Host network" })];
    expect(changed.getAttribute("aria-pressed")).toBe("true");
    fireEvent.click(other);
    expect(screen.getByRole("button", { name: "Host network" }).getAttribute("aria-pressed")).toBe("true");
    expect(document.querySelectorAll(".recharts-reference-area")).toHaveLength(0);
    fireEvent.click(screen.getByRole("button", { name: LOWER }));
    expect(screen.getByRole("button", { name: "Published port" }).getAttribute("aria-pressed")).toBe("true");
  });

  it("begins with the metric, basis and cell of the largest change", async () => {
    show(history({ changes: [{ ...CHANGE, basis: "values", ratio: 0.6 }, CHANGE] }));
    expect((await screen.findByRole("button", { name: "Published port" })).getAttribute("aria-pressed")).toBe("true");
    expect(screen.getByRole("button", { name: "Values" }).getAttribute("aria-pressed")).toBe("true");
    fireEvent.click(screen.getByRole("button", { name: "Ratio to baseline" }));
    expect(screen.getByRole("button", { name: "Values" }).getAttribute("aria-pressed")).toBe("false");
  });

  it("gives the time of a change that began and ended on one day", async () => {
    show(history({ changes: [{ ...CHANGE, after_time: "2026-11-05T02:00:00.000Z", until_time: "2026-11-05T09:30:00.000Z" }] }));
    expect(await screen.findByRole("button", { name: /since between Nov 5, 2026, 02:00:00 UTC and Nov 5, 2026, 09:30:00 UTC$/ })).toBeTruthy();
  });

  it("lists environment changes with the first run of each, or says that there is none", async () => {
    show(history());
    const [row] = (await cardOf("Environment changes")).getAllByRole("row").slice(1);
    expect(row!.textContent).toMatch(/^Kernel6\.1\.0-206\.1\.0-21Nov 6, 2026/);
    expect(within(row!).getByRole("link").getAttribute("href")).toBe("/runs/run_5");
    cleanup();
    show(history({ runs: history().runs.map((run) => ({ ...run, environment_changes: [] })) }));
    expect((await cardOf("Environment changes")).getByText("No change was recorded over these runs.")).toBeTruthy();
  });

  it("says how many runs are missing, and that no change is shown", async () => {
    show(history({ runs_missing: 3, changes: [] }));
    expect(await screen.findByText("A change can be shown with 10 runs: 3 more are needed.")).toBeTruthy();
    cleanup();
    show(history({ changes: [] }));
    expect(await screen.findByText(/^No change is shown in 5 series/)).toBeTruthy();
  });

  it("says that no run has ended, and offers to try again after any other failure", async () => {
    show(refusal(404, { code: "not_found", title: "Not found", detail: "no run of this experiment has ended" }));
    expect(await screen.findByRole("heading", { name: "No run has ended yet" })).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
    cleanup();
    const requests = show(refusal(503, { code: "unavailable", title: "The database does not answer" }));
    const alert = within(await screen.findByRole("alert"));
    expect(alert.getByRole("heading")).toBeTruthy();
    fireEvent.click(alert.getByRole("button", { name: "Try again" }));
    await vi.waitFor(() => expect(requests).toHaveLength(2));
  });
});

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { MemoryRouter, Route, Routes } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ChartModel, Run } from "@/api/generated";
import { queries } from "@/api/queries";
import { chartModel } from "@/testing/chartModel";
import { ServedStream } from "@/testing/eventStream";
import { refusal, serve } from "@/testing/server";
import { CellPage } from "./CellPage";
import { ExportDialog } from "./ExportDialog";
import { RunActions } from "./RunActions";
import { RunPage } from "./RunPage";

const PROGRESS = { total: 100, done: 38, failed: 2, running: 0, cancelled: 0, skipped: 0, spared: 0, eta_s: null };
const RUN = { id: "r", experiment_id: "e", title: "A run", state: "done", host: "h", origin: "measured", progress: PROGRESS, current: null, seed: 1, created_at: "2026-11-01T10:00:00Z", started_at: null, finished_at: null, cancel_requested: false } as unknown as Run;
const MODEL = chartModel("measured");

/** Answers requests by the end of their path; a function is called for each request. */
function answer(answers: Record<string, unknown>) {
  return serve(({ path }) => {
    const found = Object.entries(answers).find(([end]) => path.endsWith(end))?.[1];
    const body: unknown = typeof found === "function" ? (found as () => unknown)() : found;
    return body ?? refusal(409, { title: "Cannot be read", detail: "The result cannot be computed." });
  });
}

function show(at: string, known?: ChartModel, extra?: React.ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  if (known) client.setQueryData(queries.result("r").queryKey, known);
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[at]}>
        <Routes>
          <Route path="/runs/:runId" element={<RunPage />} />
          <Route path="/runs/:runId/cells/:cellId" element={<CellPage />} />
          <Route path="/dialog" element={extra} />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

// jsdom has dialogs, and no way to open one.
beforeEach(() => {
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: HTMLDialogElement) {
      this.open = true;
    },
    close(this: HTMLDialogElement) {
      this.open = false;
    },
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const PROFILE = { run_id: "r", cell_id: "c5", state: "not_requested", reason: null, ended_at: null, profile: null };

describe("RunPage", () => {
  it("requests a result again that was cached while the run was active", async () => {
    answer({ "/runs/r": RUN, "/runs/r/result": { ...MODEL, state: "done", headline: "It is over." } });
    show("/runs/r", { ...MODEL, state: "running", headline: "Too early." });
    expect(await screen.findByText("It is over.")).toBeTruthy();
    expect(screen.queryByText("Too early.")).toBeNull();
  });

  it("does not request a final result again", async () => {
    const requests = answer({ "/runs/r": RUN, "/runs/r/result": MODEL });
    show("/runs/r", { ...MODEL, state: "done", headline: "It is over." });
    expect(await screen.findByText("It is over.")).toBeTruthy();
    expect(requests.filter(({ path }) => path.endsWith("/result"))).toEqual([]);
  });

  it("has the answer of an ended run in the title of its tab", async () => {
    answer({ "/runs/r": RUN, "/runs/r/result": { ...MODEL, state: "done", headline: "It is over." } });
    show("/runs/r");
    await waitFor(() => expect(document.title).toBe("It is over. · A run · Plimsoll"));
  });

  it("shows what is measured above the chart, without tiles, and the newest trials in their tab", async () => {
    const event = { trial_id: "t1", cell_id: "c5", round: 1, state: "done", metrics: { tps: 9 }, failure_code: null };
    const matrix = { run_id: "r", state: "running", origin: "measured", last_event_id: 1, rounds: 2, cells: [], newest: [event] };
    const current = { trial_id: "t2", cell_id: "c6", label: "published_loopback, proxy off", round: 3 };
    const running = { ...RUN, state: "running", current };
    answer({ "/runs/r": running, "/runs/r/result": { ...MODEL, state: "running" }, "/runs/r/matrix": matrix, "/hosts": { data: [] } });
    show("/runs/r");
    const now = await screen.findByRole("region", { name: "Measured now" });
    expect(now.textContent).toContain("published_loopback, proxy off round 3");
    const chart = await screen.findByRole("img", { name: /and CPU of 6 cells/ });
    expect(now.compareDocumentPosition(chart) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(screen.queryByText("Quality")).toBeNull();
    expect(screen.queryByRole("list", { name: "Trials, newest first" })).toBeNull();
    fireEvent.click(screen.getByRole("tab", { name: "Trials" }));
    expect(await screen.findByRole("list", { name: "Trials, newest first" })).toBeTruthy();
  });

  it("has its actions in one row with the answer, before the result is there", async () => {
    answer({ "/runs/r": RUN });
    show("/runs/r");
    const verdict = await screen.findByRole("region", { name: "Verdict" });
    const names = within(verdict).getAllByRole("button").map((button) => button.getAttribute("aria-label") ?? button.textContent);
    expect([...names, ...within(verdict).getAllByRole("link").map((link) => link.textContent)]).toEqual(["Share", "Export", "More actions", "Run again"]);
  });

  it("offers to measure the lost trials of an ended run again", async () => {
    const lost = MODEL.cells.map((cell) => (cell.id === "c5" ? { ...cell, left_out: [2], contaminated: [2] } : cell));
    const row = { id: "c5", label: "published_loopback", path: "p", metric: "tps", is_baseline: false, infeasible: null, states: "dc", rates: [1, null] };
    const matrix = { run_id: "r", state: "done", origin: "measured", last_event_id: 1, rounds: 2, cells: [row], newest: [] };
    answer({ "/runs/r": RUN, "/runs/r/result": { ...MODEL, cells: lost }, "/runs/r/matrix": matrix });
    show("/runs/r");
    expect(await screen.findByText("1 of 70 lost")).toBeTruthy();
    fireEvent.click(await screen.findByRole("button", { name: "measure it" }));
    expect(screen.getByRole("dialog", { name: "More rounds of these cells" })).toBeTruthy();
  });

  it("says that a run was deleted while it was open, and requests nothing more", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const missing = () => refusal(404, { title: "Not found", detail: "there is no such run", code: "not_found" });
    const stream = new ServedStream("", new AbortController().signal);
    const deleted = { now: false };
    const found = (body: unknown) => () => (deleted.now ? missing() : body);
    const matrix = { states: [], cells: [], rounds: 0, trials: [], newest: [], last_event_id: 3 };
    const requests = answer({ "/runs/r/events": found(stream.answer), "/runs/r/matrix": found(matrix), "/runs/r/result": found({ ...MODEL, state: "running" }), "/runs/r": found({ ...RUN, state: "running", last_event_id: 3 }) });
    show("/runs/r");
    expect(await screen.findByRole("heading", { name: "A run" })).toBeTruthy();
    await waitFor(() => expect(requests.some(({ path }) => path.endsWith("/events"))).toBe(true));
    deleted.now = true;
    stream.end();
    await act(() => vi.advanceTimersByTimeAsync(3000));
    expect(await screen.findByText("This run was deleted, or you may no longer read it. The page shows what was read before.")).toBeTruthy();
    expect(document.querySelector("[data-page-actions]")).toBeNull();
    const sent = requests.length;
    await act(() => vi.advanceTimersByTimeAsync(600_000));
    expect(requests.slice(sent).map(({ url }) => url)).toEqual([]);
  });
});

describe("CellPage", () => {
  it("requests the result every few seconds until the run has ended", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const states = ["running", "running", "done"];
    const requests = answer({ "/result": () => ({ ...MODEL, state: states.shift() ?? "done" }), "/trials": { data: [], next_cursor: null } });
    show("/runs/r/cells/c5");
    await screen.findByRole("heading", { level: 1, name: "published_loopback, proxy on" });
    const results = () => requests.filter(({ path }) => path.endsWith("/result")).length;
    for (let second = 0; second < 30; second += 1) await vi.advanceTimersByTimeAsync(1000);
    expect(results()).toBe(3);
  });

  it("labels a cell of an imported run without a log as not imported", async () => {
    const cells = MODEL.cells.map((cell) => (cell.id === "c5" ? { ...cell, state: "infeasible", reason: "no log was given" } : cell));
    answer({ "/result": { ...MODEL, origin: "imported", cells }, "/trials": { data: [], next_cursor: null } });
    show("/runs/r/cells/c5");
    expect(await screen.findByText("not imported")).toBeTruthy();
    expect(await screen.findByText("No log was given for this cell.")).toBeTruthy();
    expect(screen.queryByText(/cannot run/)).toBeNull();
  });

  it("says why there is no CPU profile of a cell", async () => {
    const reason = { code: "unavailable", detail: "perf is not installed", detail_message: null };
    answer({ "/result": MODEL, "/trials": { data: [], next_cursor: null }, "/profile": { ...PROFILE, state: "not_taken", reason } });
    show("/runs/r/cells/c5");
    expect(await screen.findByText("No CPU profile of this cell: perf is not installed.")).toBeTruthy();
  });

  it("shows an error where the full cell of a very large result cannot be loaded", async () => {
    answer({ "/result": { ...MODEL, reduced: { digits: 4, ladders_left_out: 0, sentence: "Shortened.", without_values: [] } }, "/trials": { data: [], next_cursor: null }, "/profile": PROFILE });
    show("/runs/r/cells/c5");
    expect(await screen.findByText("The result cannot be computed.")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
  });
});

describe("RunActions", () => {
  it("opens the report in a new tab", async () => {
    answer({});
    show("/dialog", undefined, <RunActions run={{ ...RUN, state: "done" }} />);
    fireEvent.click(screen.getByRole("button", { name: "More actions" }));
    const report = await screen.findByRole("menuitem", { name: "Report" });
    expect(report.getAttribute("href")).toBe("/api/v1/runs/r/exports/report");
    expect(report.getAttribute("target")).toBe("_blank");
  });

  it("counts neither skipped nor cancelled trials as remaining", () => {
    answer({});
    const run = { ...RUN, state: "running" as const, progress: { ...PROGRESS, skipped: 50, cancelled: 1 } };
    show("/dialog", undefined, <RunActions run={run} />);
    fireEvent.click(screen.getByRole("button", { name: "Cancel run" }));
    expect(screen.getByText(/9 trials of 100 would not run/)).toBeTruthy();
  });
});

describe("ExportDialog", () => {
  const dialog = <ExportDialog run={RUN} open onClose={() => undefined} />;
  const save = (format: string) =>
    screen.findByRole("link", { name: `Download ${format}` }).then((link) => link.getAttribute("href"));

  it("saves the picture of throughput and CPU by one link, and any other one of the page", async () => {
    answer({});
    show("/dialog", MODEL, dialog);
    expect(await save("PNG")).toBe("/api/v1/runs/r/exports/png?kind=joint&metric=tps&theme=light");
    expect(screen.getByRole("link", { name: "Download PNG" }).hasAttribute("download")).toBe(true);
    fireEvent.click(screen.getByRole("button", { name: "Dark" }));
    fireEvent.change(screen.getByRole("combobox", { name: "Chart of the image" }), { target: { value: "dots" } });
    fireEvent.change(screen.getByRole("combobox", { name: "Metric of the image" }), { target: { value: "cpu_us_per_txn" } });
    expect(await save("SVG")).toBe("/api/v1/runs/r/exports/svg?kind=dots&metric=cpu_us_per_txn&theme=dark");
  });

  it("says that there is nothing to draw where no trial has a figure", async () => {
    answer({});
    show("/dialog", { ...MODEL, axes: [] }, dialog);
    expect(await screen.findByText(/nothing to draw/)).toBeTruthy();
    expect(screen.queryByRole("link", { name: /PNG/ })).toBeNull();
  });

  it("has the requests of the page for a script: of a run that goes on its progress too", async () => {
    answer({});
    show("/dialog", MODEL, <ExportDialog run={{ ...RUN, state: "running" }} open onClose={() => undefined} />);
    const code = () => screen.getByRole("region", { name: "Command for curl" }).textContent;
    await screen.findByRole("region", { name: "Command for curl" });
    expect(code()).toContain(`${window.location.origin}/api/v1/runs/r/result'`);
    fireEvent.click(screen.getByRole("button", { name: "State and progress" }));
    expect(code()).toContain(`${window.location.origin}/api/v1/runs/r'`);
  });

  it("shows an error where the result cannot be loaded, and tries again", async () => {
    let fails = true;
    answer({ "/result": () => (fails ? undefined : MODEL) });
    show("/dialog", undefined, dialog);
    expect(await screen.findByText("The result cannot be computed.")).toBeTruthy();
    fails = false;
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await save("PNG")).toContain("kind=joint");
  });
});

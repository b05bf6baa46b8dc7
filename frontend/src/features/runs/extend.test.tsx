import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Matrix, Run } from "@/api/generated";
import { showAt } from "@/testing/render";
import { refusal, serve } from "@/testing/server";
import { ExtensionOf, Extensions } from "./Extensions";
import { MatrixCard } from "./MatrixCard";
import { useMatrix } from "./useMatrix";

const RUN = { id: "r", title: "A run", state: "done", origin: "measured", created_at: "2026-11-23T10:00:00Z" } as unknown as Run;
const cell = (id: string, infeasible: string | null = null) => ({ id, label: `Cell ${id}`, path: "p", metric: "tps", is_baseline: false, infeasible, states: infeasible ? "" : "dd", rates: infeasible ? [] : [1, 2] });
const MATRIX: Matrix = { run_id: "r", state: "done", origin: "measured", last_event_id: 1, rounds: 2, cells: [cell("c1"), cell("c2"), cell("c3", "no IPv6")] };
const PREVIEW = { run_id: "r", number: 1, analyses: 2, cells: ["c1", "c2"], trials: 20, seconds: 400, comparisons: 1, rounds_needed: 7, sentence: null };

function Shown({ run }: { run: Run }) {
  const { store, query } = useMatrix("r");
  return <MatrixCard run={run} store={store} query={query} />;
}

function show(run: Run = RUN, start: () => unknown = () => ({ ...RUN, id: "r2" }), matrix = MATRIX) {
  const sent = serve(({ path, method }) => {
    if (path.endsWith("/matrix")) return matrix;
    if (path.endsWith(":preview-extension")) return PREVIEW;
    if (path.endsWith(":extend")) return start();
    return method === "GET" ? { data: [] } : undefined;
  });
  showAt("/runs/r", { "/runs/r": <Shown run={run} />, "/runs/r2": <p>The new run</p> });
  return sent;
}

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function (this: HTMLDialogElement) {
    this.open = false;
  };
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(420);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(800);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("ExtendDialog", () => {
  it("offers the cells that lost a trial in one action", async () => {
    const sent = show(RUN, undefined, { ...MATRIX, cells: [cell("c1"), { ...cell("c2"), states: "dc" }, { ...cell("c1-aa"), states: "cd" }] });
    fireEvent.click(await screen.findByRole("button", { name: "Measure 1 cell with lost trials again…" }));
    fireEvent.click(screen.getByRole("button", { name: "Start the run" }));
    expect(await screen.findByText("The new run")).toBeTruthy();
    expect(sent.find(({ path }) => path.endsWith(":extend"))?.body).toEqual({ cells: ["c2"], rounds: 10 });
  });

  it("starts more rounds of the selected cells, and opens the new run", async () => {
    const sent = show();
    const grid = await screen.findByRole("grid");
    fireEvent.keyDown(grid, { key: " " });
    fireEvent.click(screen.getByRole("button", { name: "More rounds of 1 cell…" }));
    expect(await screen.findByText("20 trials of 2 cells with their baselines, about 6 min 40 s.")).toBeTruthy();
    fireEvent.change(screen.getByLabelText("Rounds"), { target: { value: "6" } });
    expect(await screen.findByText("So few rounds may not show any difference: 7 rounds are certain to be able to.")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Start the run" }));
    expect(await screen.findByText("The new run")).toBeTruthy();
    const start = sent.find(({ path }) => path.endsWith(":extend"));
    expect(start?.body).toEqual({ cells: ["c1"], rounds: 6 });
    expect(start?.key).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("keeps what was typed where the server refuses or is away", async () => {
    show(RUN, () => refusal(422, { title: "Refused", detail: "bench-1 left, or its token was revoked" }));
    fireEvent.keyDown(await screen.findByRole("grid"), { key: " " });
    fireEvent.click(screen.getByRole("button", { name: "More rounds of 1 cell…" }));
    fireEvent.change(screen.getByLabelText("Rounds"), { target: { value: "12" } });
    fireEvent.click(screen.getByRole("button", { name: "Start the run" }));
    expect(await screen.findByText(/bench-1 left/)).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>("Rounds").value).toBe("12");
  });

  it("refuses rounds that are no whole number", async () => {
    show();
    fireEvent.keyDown(await screen.findByRole("grid"), { key: " " });
    fireEvent.click(screen.getByRole("button", { name: "More rounds of 1 cell…" }));
    fireEvent.change(screen.getByLabelText("Rounds"), { target: { value: "1.5" } });
    expect(screen.getByText("Give a whole number of rounds from 1 to 1,000.")).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Start the run" }).disabled).toBe(true);
  });

  it("is not offered for an imported run, one in progress, or a cell that cannot run", async () => {
    show({ ...RUN, origin: "imported" });
    await screen.findByRole("grid");
    expect(screen.queryByRole("button", { name: /More rounds/ })).toBeNull();
    cleanup();
    show();
    const grid = await screen.findByRole("grid");
    fireEvent.keyDown(grid, { key: "End", ctrlKey: true });
    fireEvent.keyDown(grid, { key: " " });
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>("button", { name: /More rounds/ }).disabled).toBe(true));
  });
});

describe("Extensions", () => {
  it("names the run that is extended, and the runs that extend this one", async () => {
    const extension = { run_id: "r0", number: 2, rounds: 8 };
    serve(({ path }) => (path.endsWith("/extensions") ? { data: [{ ...RUN, id: "r2", extension }] } : undefined));
    showAt("/", { "/": <Extensions run={RUN} /> });
    expect(await screen.findByRole("link", { name: /Extension 2: 8 rounds/ })).toBeTruthy();
    cleanup();
    showAt("/", { "/": <ExtensionOf run={{ ...RUN, extension }} /> });
    expect(screen.getByText(/Extended after its result was known: extension 2 of/)).toBeTruthy();
    expect(screen.getByRole("link", { name: "an earlier run" }).getAttribute("href")).toBe("/runs/r0");
  });
});

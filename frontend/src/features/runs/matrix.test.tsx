import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Matrix, TrialEvent } from "@/api/generated";
import { moved } from "./gridMoves";
import { MatrixGrid } from "./MatrixGrid";
import { MatrixStore } from "./matrixStore";

const ROUNDS = 10;
const cell = (at: number, states = "q".repeat(ROUNDS)) => ({ id: `c${at}`, label: `Published, ${at} clients`, path: "published", metric: "tps", is_baseline: at === 1, infeasible: null, states, rates: [...states].map(() => null) });
const matrix = (cells: Matrix["cells"]): Matrix => ({ run_id: "r", state: "running", origin: "measured", last_event_id: 1, rounds: ROUNDS, cells });
const ended = (cell_id: string, round: number, more: Partial<TrialEvent> = {}): TrialEvent => ({ trial_id: `t${cell_id}${round}`, cell_id, round, state: "done", metrics: { tps: 1234.5 }, failure_code: null, quality: null, ...more });

function filled(count = 3): MatrixStore {
  const store = new MatrixStore();
  store.load(matrix(Array.from({ length: count }, (_, at) => cell(at + 1))));
  return store;
}

// jsdom computes no layout: the virtualiser reads the size of the scrolling element.
beforeEach(() => {
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(420);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(800);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

describe("MatrixStore", () => {
  it("changes one row with an event, and calls only its listeners", () => {
    const store = filled();
    const [first, second] = [vi.fn(), vi.fn()];
    store.subscribeRow(0, first);
    store.subscribeRow(1, second);
    const before = store.row(1);
    store.apply(ended("c1", 2, { quality: "retaken" }));
    expect(store.row(0)).toMatchObject({ states: "qtqqqqqqqq" });
    expect(store.row(0)?.rates[1]).toBe(1234.5);
    expect(store.row(1)).toBe(before);
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 0]);
    expect([store.counted("t"), store.counted("q")]).toEqual([1, 29]);
  });

  it("does not change an ended trial when older events are replayed, or an older matrix arrives", () => {
    const store = filled();
    store.apply(ended("c1", 1));
    store.apply(ended("c1", 1, { state: "running", metrics: null }));
    expect(store.row(0)?.states[0]).toBe("d");
    store.load(matrix([cell(1), cell(2, "eqqqqqqqqq"), cell(3)]));
    expect([store.row(0)?.states[0], store.row(0)?.rates[0], store.row(1)?.states[0]]).toEqual(["d", 1234.5, "e"]);
  });

  it("gets longer with the first trial of a make-up round", () => {
    const store = filled(2);
    store.apply(ended("c2", 11, { state: "running", metrics: null }));
    expect([store.rounds, store.row(0)?.states.at(-1), store.row(1)?.states.at(-1)]).toEqual([11, ".", "r"]);
    expect(store.running()).toEqual({ row: 1, round: 10 });
    store.apply(ended("c2", 11));
    expect([store.row(1)?.states.at(-1), store.row(1)?.rates.at(-1)]).toEqual(["d", 1234.5]);
    expect(store.row(0)?.rates).toHaveLength(11);
  });

  it("finds the running trial, and forgets it when it is queued again", () => {
    const store = filled();
    store.apply(ended("c2", 3, { state: "running", metrics: null }));
    expect(store.running()).toEqual({ row: 1, round: 2 });
    store.apply(ended("c2", 3, { state: "queued", metrics: null }));
    expect(store.running()).toBeNull();
  });
});

describe("moved", () => {
  const size = { rows: 500, columns: 11, page: 12 };
  const press = (key: string, ctrlKey = false, from = { row: 20, column: 3 }) => moved(from, { key, ctrlKey, metaKey: false }, size);

  it("moves by keys and stays inside", () => {
    expect(press("ArrowDown")).toEqual({ row: 21, column: 3 });
    expect(press("PageUp")).toEqual({ row: 8, column: 3 });
    expect(press("Home")).toEqual({ row: 20, column: 0 });
    expect(press("End", true)).toEqual({ row: 499, column: 10 });
    expect(press("ArrowLeft", false, { row: 0, column: 0 })).toEqual({ row: 0, column: 0 });
    expect(press("a")).toBeNull();
  });
});

describe("MatrixGrid", () => {
  const show = (store: MatrixStore, selected: ReadonlySet<string> = new Set()) => {
    const [open, select] = [vi.fn(), vi.fn()];
    render(<MatrixGrid store={store} open={open} selected={selected} select={select} />);
    return { open, select, grid: screen.getByRole("grid") };
  };
  const active = (grid: HTMLElement) => document.getElementById(grid.getAttribute("aria-activedescendant") ?? "");

  it("draws only the rows that are visible, and names each trial's state in words", () => {
    const store = filled(500);
    store.apply(ended("c1", 1));
    const { grid } = show(store);
    expect(grid.getAttribute("aria-rowcount")).toBe("501");
    expect(screen.getAllByRole("row").length).toBeLessThan(40);
    expect(screen.getByRole("gridcell", { name: "done, 1,235 tps" })).toBeTruthy();
  });

  it("has one tab stop; keys move, Enter opens the trial or the cell", () => {
    const { open, grid } = show(filled(500));
    expect(document.querySelectorAll("[tabindex]")).toHaveLength(1);
    expect(active(grid)?.getAttribute("role")).toBe("rowheader");
    fireEvent.keyDown(grid, { key: "Enter" });
    fireEvent.keyDown(grid, { key: "ArrowDown" });
    fireEvent.keyDown(grid, { key: "ArrowRight" });
    expect(active(grid)?.getAttribute("aria-label")).toBe("queued");
    fireEvent.keyDown(grid, { key: "Enter" });
    expect(open.mock.calls).toEqual([["c1", null], ["c2", 1]]);
    expect(screen.getByText("Published, 2 clients, round 1: queued")).toBeTruthy();
  });

  it("goes to the running trial by the button and by r, while there is one", () => {
    const store = filled(500);
    const { grid } = show(store);
    expect(screen.queryByRole("button", { name: "Go to the running trial" })).toBeNull();
    act(() => store.apply(ended("c3", 4, { state: "running", metrics: null })));
    fireEvent.click(screen.getByRole("button", { name: "Go to the running trial" }));
    expect(document.activeElement).toBe(grid);
    expect(active(grid)?.getAttribute("aria-label")).toBe("running");
    fireEvent.keyDown(grid, { key: "Home" });
    fireEvent.keyDown(grid, { key: "r" });
    expect(screen.getByText("Published, 3 clients, round 4: running")).toBeTruthy();
  });

  it("selects rows by Space, and a range by Shift", () => {
    const { select, grid } = show(filled());
    fireEvent.keyDown(grid, { key: " " });
    fireEvent.keyDown(grid, { key: "ArrowDown", shiftKey: true });
    expect(select.mock.calls.map(([cells]) => [...(cells as Set<string>)])).toEqual([["c1"], ["c1", "c2"]]);
  });

  it("ends a selection by Escape", () => {
    const { select, grid } = show(filled(), new Set(["c1"]));
    fireEvent.keyDown(grid, { key: "Escape" });
    expect(select).toHaveBeenCalledWith(new Set());
  });

  it("shows the reason of a cell that cannot run", () => {
    const store = new MatrixStore();
    store.load(matrix([{ ...cell(1, ""), infeasible: "no IPv6 on this host" }]));
    show(store);
    expect(screen.getByText("Published, 1 clients: no IPv6 on this host")).toBeTruthy();
  });

  it("shows an event without drawing other rows again", () => {
    const store = filled();
    show(store);
    const other = screen.getAllByRole("row")[3];
    const before = other?.outerHTML;
    act(() => store.apply(ended("c1", 1, { state: "failed", metrics: null, failure_code: "timeout" })));
    expect(screen.getByRole("gridcell", { name: "failed" })).toBeTruthy();
    expect(other?.outerHTML).toBe(before);
  });
});

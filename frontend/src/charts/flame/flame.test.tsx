import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, describe, expect, it } from "vitest";
import type { CellProfile } from "@/api/generated";
import FlameCard from "./FlameCard";
import { childrenOf, folded, matches, moved, placed } from "./flameLayout";

const frame = (name: string, parent: number | null, own: number, total: number) => ({ name, parent, own, total });
const PROFILE: CellProfile = {
  frequency_hz: 99,
  seconds: 10,
  samples: 100,
  idle_samples: 20,
  pruned_samples: 1,
  kernel_symbols: true,
  program: "perf version 6.1",
  frames: [
    frame("server", null, 0, 60),
    frame("postgres", 0, 10, 60),
    frame("tcp_sendmsg", 1, 40, 50),
    frame("tcp_push", 2, 10, 10),
    frame("proxy", null, 0, 40),
    frame("docker-proxy", 4, 40, 40),
  ],
  functions: [
    { name: "tcp_sendmsg", role: null, own: 40, total: 50 },
    { name: "docker-proxy", role: null, own: 40, total: 40 },
    { name: "docker-proxy", role: "proxy", own: 40, total: 40 },
  ],
};
const renderPage = (element: React.ReactElement) => render(<MemoryRouter>{element}</MemoryRouter>);
const { frames } = PROFILE;
const children = childrenOf(frames);

afterEach(cleanup);

describe("layout", () => {
  it("places callees below their caller, as wide as their samples", () => {
    expect(placed(frames, children, -1).map(({ index, depth, left, width }) => [index, depth, left, Math.round(width)])).toEqual([
      [0, 0, 0, 60], [4, 0, 60, 40], [1, 1, 0, 60], [5, 1, 60, 40], [2, 2, 0, 50], [3, 3, 0, 10],
    ]);
  });
  it("fills the width with a frame, below its callers", () => {
    expect(placed(frames, children, 2).map(({ index, width }) => [index, width])).toEqual([[0, 100], [1, 100], [2, 100], [3, 20]]);
  });
  it("counts the samples of nested matches once, and no role", () => {
    const found = matches(frames, "TCP");
    expect([[...found.indices], found.samples]).toEqual([[2, 3], 50]);
    expect(matches(frames, "server").samples).toBe(0);
    expect(matches(frames, " ").indices.size).toBe(0);
  });
  it("moves to callers, callees and neighbours", () => {
    const boxes = placed(frames, children, -1);
    expect(["ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft"].map((key) => moved(boxes, frames, 1, key))).toEqual([2, 0, 5, 1]);
  });
  it("writes folded stacks with every sample", () => {
    expect(folded(frames)).toBe("server;postgres 10\nserver;postgres;tcp_sendmsg 40\nserver;postgres;tcp_sendmsg;tcp_push 10\nproxy;docker-proxy 40\n");
  });
});

describe("flame graph", () => {
  it("is walked by arrow keys, zoomed by Enter and back by Escape", () => {
    renderPage(<FlameCard profile={PROFILE} name="c1" />);
    const tree = screen.getByRole("tree");
    fireEvent.keyDown(tree, { key: "ArrowDown" });
    fireEvent.keyDown(tree, { key: "ArrowDown" });
    expect(screen.getByRole("treeitem", { selected: true }).getAttribute("aria-label")).toBe("tcp_sendmsg: 50 samples, 50.0 % of all; 40.0 % in itself");
    fireEvent.keyDown(tree, { key: "Enter" });
    expect(screen.queryByRole("treeitem", { name: /docker-proxy/ })).toBeNull();
    fireEvent.keyDown(tree, { key: "Escape" });
    fireEvent.click(screen.getByRole("button", { name: "Whole profile" }));
    expect(screen.getByRole("treeitem", { name: /docker-proxy/ })).toBeTruthy();
  });
  it("says how much a search matches, and lists the functions of the chosen role", () => {
    renderPage(<FlameCard profile={PROFILE} name="c1" />);
    fireEvent.change(screen.getByRole("searchbox", { name: "Search" }), { target: { value: "tcp" } });
    expect(screen.getByText("2 frames, 50.0 % of the samples")).toBeTruthy();
    fireEvent.change(screen.getByRole("combobox", { name: "Role" }), { target: { value: "4" } });
    const rows = within(screen.getByRole("table", { hidden: true })).getAllByRole("row", { hidden: true });
    expect(rows.map((row) => row.textContent)).toEqual(["FunctionIn itself, %With callees, %", "docker-proxy40.040.0"]);
  });
  it("says that its trial is not measured", () => {
    renderPage(<FlameCard profile={{ ...PROFILE, samples: 0, frames: [], functions: [] }} name="c1" />);
    expect(screen.getByText(/That trial is not measured/)).toBeTruthy();
    expect(screen.getByText("All CPUs were idle in every sample.")).toBeTruthy();
  });
});

import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { MemoryRouter, useLocation } from "react-router";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ChartModel } from "@/api/generated";
import { Still } from "@/testing/render";
import { chartModel } from "@/testing/chartModel";
import { sweepModel, wholeModel } from "@/testing/chartParts";
import "@/testing/tabs";
import { PivotCard } from "@/charts/pivot/PivotCard";
import { FilterBar } from "./FilterBar";
import { NO_FILTER } from "./filter";
import { ResultTable } from "./ResultTable";
import { ResultView } from "./ResultView";

function Address() {
  const { search, hash } = useLocation();
  return <output aria-label="Address">{search + hash}</output>;
}

function show(model: ChartModel, at = "/runs/r") {
  const links = { cell: (id: string) => `/cells/${id}`, round: (id: string, round: number) => `/cells/${id}/rounds/${round}`, host: "/hosts/h", open: () => undefined, image: () => () => "/image" };
  render(
    <Still at={at}>
      <ResultView model={model} links={links} />
      <Address />
    </Still>,
  );
}

const card = (name: string) => screen.getByRole("heading", { name }).closest("section")!;

describe("parts of a result", () => {
  afterEach(cleanup);

  it("are absent where a run has none", () => {
    show(chartModel("measured"));
    expect(screen.queryByRole("tab", { name: "Hops" })).toBeNull();
    act(() => void window.dispatchEvent(new Event("beforeprint")));
    for (const name of ["Thresholds", "Tied for best", "Drift", "Interim analyses", "What each hop costs", "Knees"]) expect(screen.queryByRole("heading", { name })).toBeNull();
  });

  it("shows the cost per hop as chart, table and text", () => {
    show(wholeModel(), "/runs/r?tab=hops");
    expect(screen.getByRole("img", { name: /^What each hop costs, from same_container, proxy on\./ })).toBeTruthy();
    expect(screen.getByText("docker-proxy costs 63 µs.")).toBeTruthy();
    fireEvent.click(within(screen.getByRole("group", { name: "What each hop costs: chart or table" })).getByRole("button", { name: "Table" }));
    const row = within(screen.getByRole("table", { name: "What each hop costs" })).getByRole("row", { name: /^published_loopback/ });
    expect(row.textContent).toContain("+63.0 µs");
    expect(row.textContent).toContain("–");
  });

  it("shows the knees of sweeps, with the figures of each load", () => {
    show(sweepModel(), "/runs/r?tab=sweep");
    expect(screen.getByRole("img", { name: /^Knees of 2 sweeps/ })).toBeTruthy();
    fireEvent.click(within(screen.getByRole("group", { name: "Knees: chart or table" })).getByRole("button", { name: "Table" }));
    expect(within(screen.getByRole("table", { name: "Knees" })).getByRole("row", { name: /^same_container/ }).textContent).toContain("4,000");
  });

  it("of an imported run have no CPU by role", () => {
    const model = chartModel("measured");
    show({ ...model, origin: "imported", cells: model.cells.map((cell) => ({ ...cell, cpu: [], evidence: { proven: 0, not_proven: 0, contradicted: 0 } })) });
    expect(screen.queryByRole("heading", { name: "CPU by role" })).toBeNull();
  });
});

// These tests read what was rendered once, and change nothing.
describe("the result with every part", () => {
  beforeAll(() => {
    show(wholeModel());
    act(() => void window.dispatchEvent(new Event("beforeprint")));
  });
  afterAll(cleanup);

  it("shows each threshold with the cells that do not pass", () => {
    const thresholds = card("Thresholds");
    expect(within(thresholds).getAllByText("fail").length).toBeGreaterThan(0);
    expect(within(thresholds).getByText("ratio(tps, baseline) >= 0.9")).toBeTruthy();
    expect(within(thresholds).getByText("1 of 3 cells is below 0.9.")).toBeTruthy();
    const row = within(thresholds).getByRole("row", { name: /published_loopback, proxy off/ });
    expect(row.textContent).toContain("not enough evidence");
    expect(row.textContent).toContain("0.899");
  });

  it("lists the cells tied for best, the leader first, and the worse ones", () => {
    const items = within(within(card("Tied for best")).getByRole("list", { name: "Tied for best" })).getAllByRole("listitem");
    expect(items.map((item) => item.textContent)).toEqual(["same_container, proxy off", "same_container, proxy on"]);
    expect(within(card("Tied for best")).getByText(/2 cells are shown to be worse than the first/)).toBeTruthy();
  });

  it("shows interim analyses, and the round in which a cell was decided", () => {
    const interim = within(card("Interim analyses")).getAllByRole("listitem").map((item) => item.textContent);
    expect(interim).toEqual(["after 6 rounds: 1 cell decided", "after 10 rounds: 1 cell decided", "after 14 rounds: not made"]);
    expect(screen.getByText("decided after 6 rounds")).toBeTruthy();
  });

  it("shows whether a baseline drifted", () => {
    expect(within(card("Drift")).getByText("moved")).toBeTruthy();
    expect(within(card("Drift")).getByText(/−3\.1 % over 10 rounds/)).toBeTruthy();
  });
});

describe("filter", () => {
  afterEach(cleanup);

  it("hides cells in table and chart with their number, and shows them again", () => {
    show(chartModel("all"), "/runs/r?tab=trials");
    fireEvent.click(screen.getByLabelText("clear differences only"));
    expect(screen.getByText("8 hidden, 5 cells shown")).toBeTruthy();
    expect(screen.getByLabelText(/^transactions per second and CPU of 5 cells/)).toBeTruthy();
    expect(screen.getByText("7 cells are hidden by the filter.", { exact: false })).toBeTruthy();
    expect(screen.getByText(/8 of 13 cells hidden by the filter\./)).toBeTruthy();
    fireEvent.click(screen.getByText("Show all"));
    fireEvent.change(screen.getByLabelText("Filter cells by label, hop or state"), { target: { value: "ipv6" } });
    expect(screen.getByText("11 hidden, 2 cells shown")).toBeTruthy();
    // Two results are drawn in between, on a machine that may be busy.
  });

  it("shows several hundred cells in portions", () => {
    const model = chartModel("measured");
    const cells = Array.from({ length: 60 }, (_, copy) => model.cells.map((cell) => ({ ...cell, id: `${cell.id}-${copy}`, notices: [] }))).flat();
    const { container } = render(<ResultTable model={{ ...model, cells }} filter={NO_FILTER} metric={null} order="plan" choose={() => undefined} />);
    const rows = () => container.querySelectorAll("tbody tr[data-state]").length;
    expect(rows()).toBe(150);
    fireEvent.click(screen.getByText("Show 150 more"));
    expect(rows()).toBe(300);
  });

  it("shows the number of drawn cells, and draws more", () => {
    let more = 0;
    render(<FilterBar filter={NO_FILTER} onFilter={() => undefined} all={420} left={400} drawn={150} onMore={() => (more += 1)} />);
    expect(screen.getByText(/The charts draw the first 150\./)).toBeTruthy();
    fireEvent.click(screen.getByText("Draw more"));
    expect(more).toBe(1);
  });

  it("draws the pivot of very many cells on request", () => {
    const model = chartModel("measured");
    const cells = Array.from({ length: 20 }, (_, copy) => model.cells.map((cell) => ({ ...cell, id: `${cell.id}-${copy}` }))).flat();
    render(<PivotCard model={{ ...model, cells }} />, { wrapper: MemoryRouter });
    expect(screen.queryByRole("table")).toBeNull();
    fireEvent.click(screen.getByText("Show the pivot"));
    expect(screen.getByRole("table")).toBeTruthy();
  });
});

describe("pivot", () => {
  afterEach(cleanup);

  it("shows median, ratio with interval and verdict, and keeps its choice in the address with the fragment", () => {
    show(chartModel("all"), "/shared?tab=trials#token");
    const table = screen.getByRole("table", { name: /by path and userland-proxy/ });
    const row = within(table).getByRole("row", { name: /^published_loopback/ });
    expect(row.textContent).toContain("0.595× (0.585 – 0.607)");
    expect(row.textContent).toContain("worse");
    expect(within(table).getByText("cannot run here")).toBeTruthy();
    fireEvent.change(screen.getByRole("combobox", { name: "Pivot: Columns" }), { target: { value: "" } });
    expect(screen.getByLabelText("Address").textContent).toContain("pivot_columns=none");
    expect(screen.getByLabelText("Address").textContent).toContain("#token");
    expect(within(screen.getByRole("table", { name: /by path$/ })).getAllByText("userland-proxy on").length).toBe(6);
  });

  it("draws small charts with one text", () => {
    show(sweepModel(), "/runs/r?pivot_rows=path&pivot_columns=rate&pivot_view=chart");
    expect(screen.getByRole("img", { name: /99th percentile of latency in ms, in 4 charts/ })).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Own scales" }));
    expect(screen.getByText(/Each chart has its own scale/)).toBeTruthy();
    const marks = screen.getByRole("listbox", { name: "Pivot: marks, by arrow keys" });
    const active = () => document.getElementById(marks.getAttribute("aria-activedescendant") ?? "")?.textContent;
    fireEvent.focus(marks);
    const first = active();
    expect(first).toMatch(/: median [\d.,]+ ms, 95 % interval .*, n \d+/);
    fireEvent.keyDown(marks, { key: "ArrowDown" });
    expect(active()).not.toBe(first);
  });
});

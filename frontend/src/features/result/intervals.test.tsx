import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, describe, expect, it } from "vitest";
import type { ChartModel } from "@/api/generated";
import { CellFigures } from "./CellFigures";
import { chartModel } from "@/testing/chartModel";
import { NO_FILTER } from "./filter";
import { ResultTable } from "./ResultTable";

afterEach(cleanup);

const OWN = { low: 0.589, high: 0.601 };

function model(family: number): ChartModel {
  const known = chartModel("measured");
  const widened = (cell: ChartModel["cells"][number]) => ({
    ...cell,
    comparisons: Object.fromEntries(Object.entries(cell.comparisons).map(([metric, each]) => [metric, { ...each, family: cell.is_duplicate ? 1 : family, interval_unadjusted: OWN }])),
  });
  return { ...known, cells: known.cells.map(widened) };
}

function table(family: number, interim = false) {
  const shown = model(family);
  const drawn: ChartModel = interim ? { ...shown, interim_analyses: { planned: [6, 10], taken: [6], sentence: "" } } : shown;
  render(<ResultTable model={drawn} filter={NO_FILTER} metric={null} order="plan" choose={() => undefined} />, { wrapper: MemoryRouter });
  return within(screen.getByRole("table", { name: /^Every cell/ }));
}

describe("the intervals of ratios", () => {
  it("are named with the number of comparisons", () => {
    expect(table(5).getByText("95 % simultaneous CI of 5 comparisons")).toBeTruthy();
  });

  it("are named with the interim analyses", () => {
    expect(table(5, true).getByText("95 % simultaneous CI of 5 comparisons and all interim analyses")).toBeTruthy();
  });

  it("have a plain name for one comparison", () => {
    expect(table(1).getByText("95 % CI")).toBeTruthy();
  });

  it("are shown unadjusted on request, with that label", () => {
    const found = table(5);
    expect(found.queryByText(/0\.589 – 0\.601/)).toBeNull();
    fireEvent.click(screen.getByLabelText("show unadjusted intervals"));
    expect(found.getAllByText("unadjusted 0.589 – 0.601").length).toBeGreaterThan(3);
    expect(screen.getByText(/for each comparison alone; no verdict uses them/)).toBeTruthy();
  });

  it("have the same name on a cell's page", () => {
    const shown = model(5);
    render(<CellFigures model={shown} cell={shown.cells.find(({ id }) => id === "c5")!} />, { wrapper: MemoryRouter });
    expect(screen.getByRole("columnheader", { name: "95 % simultaneous CI of 5 comparisons" })).toBeTruthy();
    const [own] = screen.getAllByText("unadjusted interval");
    expect(own!.closest("details")!.open).toBe(false);
    expect(own!.closest("details")!.textContent).toContain("0.589 – 0.601");
  });
});

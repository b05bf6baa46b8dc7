import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { PlanPreview } from "@/api/generated";
import { PlanCells } from "./PlanCells";
import { TrialOrder } from "./TrialOrder";

afterEach(cleanup);

function preview(cells: number, rounds: number, reason: (index: number) => string | null = () => null): PlanPreview {
  const all = Array.from({ length: cells }, (_, index) => ({ id: `c${index + 1}`, label: `cell ${index + 1}`, infeasible: reason(index), is_baseline: false, is_duplicate: false }));
  const trials = Array.from({ length: rounds }, (_, round) => all.map(({ id }, index) => ({ seq: round * cells + index + 1, round: round + 1, position: index + 1, cell_id: id }))).flat();
  return { experiment: {}, hops: {}, plan: { cells: all, trials } } as unknown as PlanPreview;
}

describe("the cells of a plan", () => {
  it("begin with the reasons why some cannot run, the most frequent first", () => {
    render(<PlanCells answer={preview(40, 1, (index) => (index < 3 ? "no macvlan" : index < 15 ? "<b>no</b> bridge" : null))} />);
    const reasons = within(screen.getByRole("region", { name: "What cannot run here, and why" })).getAllByRole("listitem");
    expect(reasons.map((each) => each.textContent)).toEqual(["⊘ 12 cells: <b>no</b> bridge c4, c5, c6, c7, c8, c9, c10, c11, … +4", "⊘ 3 cells: no macvlan c1, c2, c3"]);
  });

  it("are shown in parts", () => {
    render(<PlanCells answer={preview(500, 1)} />);
    expect(screen.queryByText("cell 121")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Show more: 380 cells" }));
    expect(screen.getByText("cell 500")).toBeTruthy();
    expect(screen.queryByRole("button")).toBeNull();
  });
});

describe("the order of the trials", () => {
  it("is folded for a big plan, and shown in parts", () => {
    render(<TrialOrder answer={preview(45, 100)} />);
    expect(screen.queryByRole("table")).toBeNull();
    const details = screen.getByText("Order of the trials").closest("details")!;
    details.open = true;
    fireEvent(details, new Event("toggle"));
    expect(screen.getAllByRole("row")).toHaveLength(7);
    expect(screen.getByText("and 5 more trials in each round")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Show more: 94 rounds" }));
    expect(screen.getAllByRole("row")).toHaveLength(67);
  });
});

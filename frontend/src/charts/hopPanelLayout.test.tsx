import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { ChartModel } from "@/api/generated";
import { wholeModel } from "@/testing/chartParts";
import { Still } from "@/testing/render";
import { HopCostCard } from "./HopCostCard";
import { stepsOf } from "./hopCostLayout";
import { hopPanels, ladderNames } from "./hopPanelLayout";

afterEach(cleanup);

/** A result with its ladder for 1 and for 8 clients. */
function twoLadders(): ChartModel {
  const model = wholeModel();
  const [ladder] = model.ladders;
  const copies = [1, 8].map((clients) => {
    const named = (id: string) => `${id}-${clients}`;
    const cells = model.cells.map((cell) => ({ ...cell, id: named(cell.id), label: `${cell.label}, ${clients} clients` }));
    const rungs = stepsOf(ladder!).map((step) => ({
      ...step,
      cell_id: named(step.cell_id),
      from_id: named(step.from_id),
      cpu: step.cpu && { ...step.cpu, estimate: step.cpu.estimate * clients },
    }));
    return { cells, ladder: { ...ladder!, base_id: named(ladder!.base_id), title: `Cost per hop: ${clients} clients`, rungs } };
  });
  return { ...model, cells: copies.flatMap(({ cells }) => cells), ladders: copies.map((copy) => copy.ladder) };
}

describe("hopPanels", () => {
  it("has a chart for each path with a row for each ladder, named by what they differ in", () => {
    const model = twoLadders();
    expect(ladderNames(model, model.ladders)).toEqual(["1 clients", "8 clients"]);
    const panels = hopPanels(model, model.ladders, "transaction");
    expect(panels).toHaveLength(stepsOf(model.ladders[0]!).length);
    for (const { title, sides } of panels) {
      expect(title).not.toContain("clients");
      expect(sides[0]!.rows.map(({ label }) => label.split("  ")[0])).toEqual(["1 clients", "8 clients"]);
    }
  });

  it("has the same axis in all charts of one figure, with every estimate in it", () => {
    const panels = hopPanels(twoLadders(), twoLadders().ladders, "transaction");
    const sides = panels.map(({ sides: [cpu] }) => cpu!);
    expect(new Set(sides.map(({ domain }) => domain.join())).size).toBe(1);
    const [low, high] = sides[0]!.domain;
    for (const { x } of sides.flatMap(({ marks }) => marks)) expect(x >= low && x <= high).toBe(true);
  });
});

describe("the tab of hops", () => {
  it("is one card with small charts, its sentences folded and its tables for all ladders", () => {
    render(<HopCostCard model={twoLadders()} />, { wrapper: Still });
    expect(screen.getAllByRole("heading")).toHaveLength(1);
    const words = screen.getByText("In words").closest("details")!;
    expect(words.open).toBe(false);
    expect(within(words).getAllByRole("list", { hidden: true })).toHaveLength(2);
  });
});

import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { ChartModel } from "@/api/generated";
import { chartModel } from "@/testing/chartModel";
import { DotPlot } from "./DotPlot";

afterEach(cleanup);

/** The model's cells, copied, each with its own baseline. */
function paired(copies: number): ChartModel {
  const model = chartModel("measured");
  const [base, other] = [model.cells[0]!, model.cells[1]!];
  const cells = Array.from({ length: copies }, (_, copy) => [
    { ...base, id: `b${copy}`, row: `row ${copy}`, row_group: "" },
    { ...other, id: `o${copy}`, row: `row ${copy}`, row_group: "", comparisons: { tps: { ...other.comparisons["tps"]!, baseline_id: `b${copy}` } } },
  ]).flat();
  return { ...model, rounds_planned: 1, cells };
}

describe("DotPlot", () => {
  it("draws all baselines as one path and all rules between rows as another, with one segment per lane", () => {
    const model = paired(20);
    const { container } = render(<DotPlot model={model} axis={model.axes[0]!} title="Throughput" />);
    expect(container.querySelectorAll(".recharts-reference-line")).toHaveLength(0);
    const pieces = [...container.querySelectorAll(".plot-lines")].map((path) => path.getAttribute("d")!.split("M").length - 1);
    expect(pieces).toEqual([19, 40]);
  });

  it("draws a thousand cells", () => {
    const model = paired(500);
    const cells = model.cells.map((cell) => ({ ...cell, rounds: [1], summaries: { tps: { ...cell.summaries["tps"]!, values: [17_000] } } }));
    const { container } = render(<DotPlot model={{ ...model, cells }} axis={model.axes[0]!} title="Throughput" />);
    expect(container.querySelectorAll(".plot-lines")).toHaveLength(2);
  });
});

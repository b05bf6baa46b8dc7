import { describe, expect, it } from "vitest";
import { chartModel } from "@/testing/chartModel";
import { sweepModel, wholeModel } from "@/testing/chartParts";
import { imageKinds } from "./imageKinds";

const values = (model: Parameters<typeof imageKinds>[0]) => imageKinds(model).map(({ value }) => value);

describe("imageKinds", () => {
  it("includes cost per hop and knees only where the result has them", () => {
    expect(values({ ...chartModel("measured"), ladders: [], knees: [] })).toEqual(["dots", "roles", "heatmap", "facets"]);
    expect(values({ ...wholeModel(), knees: [] })).toEqual(["dots", "roles", "ladder", "heatmap", "facets"]);
    expect(values({ ...sweepModel(), ladders: [] })).toContain("knee");
  });

  it("includes no CPU by role where no cell has any", () => {
    const model = chartModel("measured");
    const cells = model.cells.map((cell) => ({ ...cell, cpu: [] }));
    expect(values({ cells, ladders: [], knees: [] })).toEqual(["dots", "heatmap", "facets"]);
  });

  it("includes the pivot only where two factors vary", () => {
    const model = chartModel("measured");
    const cells = model.cells.filter((cell) => cell.levels["userland_proxy"] === true);
    expect(values({ cells, ladders: [], knees: [] })).toEqual(["dots", "roles"]);
  });
});

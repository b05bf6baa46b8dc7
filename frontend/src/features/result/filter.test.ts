import { describe, expect, it } from "vitest";
import { chartModel } from "@/testing/chartModel";
import { firstRows, laneLimit, NO_FILTER, shownCells } from "./filter";

const model = chartModel("all");
const ids = (text: string, clearOnly = false, metric = "tps") => shownCells(model, metric, { text, clearOnly }).map((cell) => cell.id);

describe("shownCells", () => {
  it("returns all cells for an empty filter", () => {
    expect(shownCells(model, "tps", NO_FILTER)).toEqual(model.cells);
  });

  it("requires every word in label, hops or state", () => {
    expect(ids("published LOOPBACK proxy")).toEqual(["c5", "c6", "c9", "c11", "c12"]);
    expect(ids("docker-proxy published_loopback")).toEqual(["c5"]);
    expect(ids("cannot run")).toEqual(["c12"]);
    expect(ids("carrier pigeon")).toEqual([]);
  });

  it("returns clear differences of the metric with their baselines, and no cell whose path is not proven", () => {
    expect(ids("", true)).toEqual(["c1", "c3", "c4", "c5", "c6"]);
    expect(ids("", true, "cpu_us_per_txn")).toContain("c5");
    expect(ids("off", true)).toEqual(["c4", "c6"]);
  });
});

describe("limits", () => {
  it("draw fewer cells with more rounds", () => {
    expect(laneLimit({ ...model, rounds_planned: 10 })).toBe(60);
    expect(laneLimit({ ...model, rounds_planned: 1 })).toBe(60);
    expect(laneLimit({ ...model, rounds_planned: 50 })).toBe(30);
    expect(laneLimit({ ...model, rounds_planned: 1000 })).toBe(20);
  });

  it("cut the last groups, and count the rows of each", () => {
    const groups = [{ group: "a", rows: [1, 2, 3] }, { group: "b", rows: [4, 5] }, { group: "c", rows: [6] }];
    expect(firstRows(groups, 4)).toEqual([{ group: "a", rows: [1, 2, 3], all: 3 }, { group: "b", rows: [4], all: 2 }]);
    expect(firstRows(groups, 99).map(({ group }) => group)).toEqual(["a", "b", "c"]);
  });
});

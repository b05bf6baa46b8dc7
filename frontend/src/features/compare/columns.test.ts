import { describe, expect, it } from "vitest";
import { isMatrix, matrixChoice, matrixQuery, repeated, withColumns, withoutColumn } from "./columns";

const choice = (query: string) => matrixChoice(new URLSearchParams(query));

describe("columns of the address", () => {
  it("are runs, or cells of runs in the same order", () => {
    expect(choice("run=r1&run=r2").columns).toEqual([{ run: "r1", cell: null }, { run: "r2", cell: null }]);
    expect(choice("run=r1&run=r1&cell=c1").columns).toEqual([{ run: "r1", cell: "c1" }, { run: "r1", cell: "" }]);
    expect(choice(Array.from({ length: 20 }, (_, index) => `run=r${index}`).join("&")).columns).toHaveLength(12);
    expect(["run=r1", "view=matrix", "a=r1&b=r2", ""].map((query) => isMatrix(new URLSearchParams(query)))).toEqual([true, true, false, false]);
  });

  it("request nothing until two different ones are complete", () => {
    expect(["", "run=r1", "run=r1&run=r1", "run=r1&run=r2&cell=c1", "run=r1&run=r1&cell=c1&cell=c1"].map((query) => matrixQuery(choice(query)))).toEqual([null, null, null, null, null]);
    expect(matrixQuery(choice("run=r1&run=r1&cell=c1&cell=c2"))).toEqual({ run: ["r1", "r1"], cell: ["c1", "c2"] });
    expect(matrixQuery(choice("run=r1&run=r2&reference=1&basis=ratios&metric=tps&override=1"))).toEqual({ run: ["r1", "r2"], reference: 1, basis: "ratios", metric: "tps", override: true });
    expect(repeated(choice("run=r1&run=r1&cell=&cell="))).toBe(false);
  });

  it("ignore a reference or basis that does not exist", () => {
    expect(["9", "-1", "x", "0.5"].map((reference) => choice(`run=r1&run=r2&reference=${reference}`).reference)).toEqual([0, 0, 0, 0]);
    expect(choice("run=r1&basis=guess").basis).toBeNull();
  });
});

describe("other columns", () => {
  it("end the override", () => {
    expect(withColumns(choice("run=r1&run=r2&override=1"), [{ run: "r1", cell: null }])).toMatchObject({ run: ["r1"], cell: null, override: null });
  });

  it("keep the reference column when another one is removed", () => {
    const found = choice("run=r1&run=r2&run=r3&reference=2");
    expect(withoutColumn(found, 0)).toMatchObject({ run: ["r2", "r3"], reference: "1" });
    expect(withoutColumn(found, 2)).toMatchObject({ run: ["r1", "r2"], reference: null });
    expect(withoutColumn(choice("run=r1"), 0)).toMatchObject({ run: [], view: "matrix" });
  });
});

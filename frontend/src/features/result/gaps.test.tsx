import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { chartModel } from "@/testing/chartModel";
import { Still } from "@/testing/render";
import { GapsCard } from "./GapsCard";
import { gapsOf } from "./gaps";

afterEach(cleanup);

describe("gapsOf", () => {
  it("is nothing where every cell was measured", () => {
    expect(gapsOf(chartModel("measured"))).toBeNull();
  });

  it("has the cells by state and reason: those without values first, then those with fewer than planned", () => {
    const found = gapsOf(chartModel("all"))!;
    expect(found.gaps.map(({ state, cells }) => [state.word, cells.map(({ id }) => id)])).toEqual([
      ["failed", ["c7"]],
      ["path contradicted", ["c9"]],
      ["waiting", ["c10"]],
      ["path not proven", ["c11"]],
      ["cannot run here", ["c12"]],
      ["no answer", ["c8"]],
    ]);
    expect([found.cells, found.all, found.compared, found.comparisons]).toEqual([6, 13, 5, 11]);
  });

  it("has cells of one reason as one gap", () => {
    const model = chartModel("all");
    const failed = model.cells.find(({ id }) => id === "c7")!;
    const found = gapsOf({ ...model, cells: [...model.cells, { ...failed, id: "c20" }, { ...failed, id: "c21" }] })!;
    expect(found.gaps[0]?.cells.map(({ id }) => id)).toEqual(["c7", "c20", "c21"]);
  });

  it("counts neither waiting cells nor too few rounds while the run goes on", () => {
    const words = gapsOf({ ...chartModel("all"), state: "running" })!.gaps.map(({ state }) => state.word);
    expect(words).toEqual(["failed", "path contradicted", "path not proven", "cannot run here"]);
  });
});

describe("GapsCard", () => {
  const show = (model = chartModel("all"), links = true) =>
    render(
      <Still>
        <GapsCard model={model} {...(links && { cellHref: (id: string) => `/cells/${id}` })} />
      </Still>,
    );

  it("says what the verdict rests on, and why cells have no values", () => {
    show();
    expect(screen.getByRole("heading", { name: "6 of 13 cells have fewer values than planned" })).toBeTruthy();
    expect(screen.getByText("The verdict rests on 5 of 11 planned comparisons by transactions per second.")).toBeTruthy();
    expect(screen.getByText(/10 of 10 trials failed: the server did not answer within 30 s/)).toBeTruthy();
    expect(screen.getByRole("link", { name: "container_address, proxy on" }).getAttribute("href")).toBe("/cells/c7");
    const few = screen.getByText(/^No answer: too few rounds/).closest("li")!;
    expect(within(few).getByText("4 of 10 trials count")).toBeTruthy();
  });

  it("says that nothing can be compared with a baseline without values", () => {
    const model = chartModel("all");
    const cells = model.cells.map((cell) => (cell.id === "c1" ? { ...cell, state: "failed" as const, reason: "10 of 10 trials failed", summaries: {}, comparisons: {} } : { ...cell, comparisons: {} }));
    show({ ...model, cells }, false);
    expect(screen.getByText("Without values: the baseline same_container, proxy on. Nothing can be compared with it.")).toBeTruthy();
    expect(screen.getByText(/rests on 0 of 11 planned comparisons/)).toBeTruthy();
    expect(screen.queryAllByRole("link")).toHaveLength(0);
  });

  it("shows reasons and cells of a large run in portions", () => {
    const model = chartModel("all");
    const failed = model.cells.find(({ id }) => id === "c7")!;
    const cells = Array.from({ length: 60 }, (_, at) => ({ ...failed, id: `f${at}`, label: `cell ${at}`, reason: at < 45 ? "one reason" : `reason ${at}` }));
    show({ ...model, cells });
    expect(screen.getByText("45 cells without values")).toBeTruthy();
    expect(screen.getAllByText(/^reason \d/)).toHaveLength(5);
    expect(screen.getAllByText(/^cell \d/)).toHaveLength(40 + 5);
  });
});

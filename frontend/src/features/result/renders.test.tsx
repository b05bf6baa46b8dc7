import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ChartModel } from "@/api/generated";
import { chartModel } from "@/testing/chartModel";
import { Still } from "@/testing/render";
import { DriftChecks } from "./CheckCards";
import { EnvironmentCard } from "./EnvironmentCard";
import { NO_FILTER } from "./filter";
import { memoFields } from "./memoFields";
import { ResultTable } from "./ResultTable";

const nothing = () => undefined;
const DRIFT = { cell_id: "c1", metric: "tps", n: 10, change: 0.1, p: 0.01, significant: true, sentence: "It drifted." };
const cellHref = (id: string) => `/cells/${id}`;

afterEach(cleanup);

describe("a new answer of the server", () => {
  it("renders a part only if its fields have changed", () => {
    const model = chartModel("measured");
    const rendered = vi.fn<(drifts: number) => void>();
    const Part = memoFields<"drifts", { href?: string }>(["drifts"], function Part({ model: { drifts } }) {
      rendered(drifts.length);
      return null;
    });
    const changed: ChartModel = { ...model, cells: [...model.cells] };
    const { rerender } = render(<Part model={model} href="/a" />);
    rerender(<Part model={changed} href="/a" />);
    expect(rendered).toHaveBeenCalledTimes(1);
    rerender(<Part model={{ ...model, drifts: [DRIFT] }} href="/a" />);
    rerender(<Part model={{ ...model, drifts: [DRIFT] }} href="/b" />);
    expect(rendered.mock.calls).toEqual([[0], [1], [1]]);
  });

  it("shows what has changed", () => {
    const model = chartModel("measured");
    const page = (each: ChartModel) => (
      <Still>
        <EnvironmentCard model={each} hostHref="/hosts/h" />
        <DriftChecks model={each} />
      </Still>
    );
    const { rerender } = render(page(model));
    rerender(page({ ...model, drifts: [DRIFT], environment: { kernel: "7.0" } }));
    expect(screen.getByText("It drifted.", { exact: false })).toBeTruthy();
    expect(screen.getByText("7.0")).toBeTruthy();
  });

  it("has the lines of the table whose cells have changed", () => {
    const model = chartModel("measured");
    const cells = model.cells.map((cell) => (cell.id === "c3" ? { ...cell, label: "another label" } : cell));
    const table = (each: ChartModel) => (
      <Still>
        <ResultTable model={each} filter={NO_FILTER} metric={null} order="plan" choose={nothing} cellHref={cellHref} />
      </Still>
    );
    render(table(model)).rerender(table({ ...model, cells }));
    expect(screen.getByRole("link", { name: "another label" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "published_loopback, proxy on" })).toBeTruthy();
  });
});

import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ChartModel } from "@/api/generated";
import { chartModel } from "@/testing/chartModel";
import { Still } from "@/testing/render";
import { onAgainstOff, sweepOf } from "@/testing/sharedRows";
import { JointChart } from "./JointChart";

afterEach(cleanup);

function show(model: ChartModel, more: Partial<React.ComponentProps<typeof JointChart>> = {}) {
  return render(
    <Still>
      <JointChart model={model} axis={model.axes[0]!} step={60} answerId={null} {...more} />
    </Still>,
  );
}

const lineOf = (text: string) =>
  screen.getAllByText(text)[0]!.closest("[data-kind]") as HTMLElement;

describe("the joint chart", () => {
  it("shows throughput, change and proxy cores of a cell in one row", () => {
    show(onAgainstOff());
    const row = lineOf("published_loopback");
    expect(row.textContent).toMatch(/^published_loopbackon10,\d{3}−40\s%0\.\d\d$/);
  });

  it("says in one of four words where no change is shown", () => {
    const model = onAgainstOff();
    const verdicts = {
      c1: "equivalent",
      c3: "no_difference_shown",
      c5: "not_enough_rounds",
    } as const;
    const cells = model.cells.map((cell) => {
      const verdict = verdicts[cell.id as keyof typeof verdicts];
      return verdict
        ? { ...cell, comparisons: { tps: { ...cell.comparisons["tps"]!, verdict } } }
        : cell;
    });
    show({ ...model, cells });
    expect(
      ["same_container", "sibling_container", "published_loopback"].map(
        (name) => lineOf(name).textContent,
      ),
    ).toEqual([
      expect.stringContaining("equal"),
      expect.stringContaining("no answer"),
      expect.stringContaining("no answer"),
    ]);
  });

  it("prints a difference where a value is zero and no ratio exists", () => {
    const model = onAgainstOff();
    const difference = { value: 1096, unit: "segments", interval: { low: 900, high: 1200 } };
    const cells = model.cells.map((cell) =>
      cell.id === "c5"
        ? {
            ...cell,
            comparisons: {
              tps: { ...cell.comparisons["tps"]!, ratio: null, interval: null, difference },
            },
          }
        : cell,
    );
    show({ ...model, cells });
    expect(screen.getByText(/\+1,096 segments/)).toBeTruthy();
  });

  it("says why a cell has no figure", () => {
    show(chartModel("all"));
    expect(screen.getByText(/the server did not answer within 30 s/)).toBeTruthy();
    expect(screen.getByText("path contradicted")).toBeTruthy();
  });

  it("has its figures as a text and as a table", () => {
    show(onAgainstOff());
    const image = screen.getByRole("img", {
      name: /^transactions per second and CPU of 6 cells\./,
    });
    expect(image.getAttribute("aria-label")).toMatch(
      /published_loopback, proxy on: 10,\d{3} 1\/s, −40\s%, proxy 0\.\d\d/,
    );
    fireEvent.click(screen.getByRole("button", { name: "Table" }));
    const row = within(screen.getByRole("table")).getByRole("row", {
      name: /^published_loopback, proxy on/,
    });
    expect(row.textContent).toMatch(/between −42\s% and −39\s%, worse/);
  });

  it("opens trials and cells from the keyboard", () => {
    const [onTrial, onCell] = [vi.fn(), vi.fn()];
    show(onAgainstOff(), { onTrial, onCell });
    const marks = screen.getByRole("listbox");
    fireEvent.focus(marks);
    fireEvent.keyDown(marks, { key: "Enter" });
    expect(onCell).toHaveBeenCalledWith("c1");
    fireEvent.keyDown(marks, { key: "End" });
    fireEvent.keyDown(marks, { key: "Enter" });
    expect(onTrial).toHaveBeenCalledWith("c6", expect.any(Number));
  });

  it("draws many cells in portions, those of the answer first", () => {
    const { container } = show(sweepOf(20, [1, 8]), { step: 24, answerId: "c5-17-8" });
    const rows = () => container.querySelectorAll("[data-kind=cell]").length;
    expect(rows()).toBe(12);
    expect(container.querySelector("[data-kind=heading]")!.textContent).toBe("Path 18");
    fireEvent.click(screen.getByRole("button", { name: "Show 24 more" }));
    expect(rows()).toBe(36);
  });

  it("says that CPU was not measured, and draws no empty plot", () => {
    const model = onAgainstOff();
    const { container } = show({
      ...model,
      cells: model.cells.map((cell) => ({ ...cell, cpu: [] })),
    });
    expect(screen.getByText("CPU was not measured.")).toBeTruthy();
    expect(screen.getByRole("heading", { name: "Throughput" })).toBeTruthy();
    expect(container.querySelectorAll(".recharts-wrapper")).toHaveLength(1);
  });
});

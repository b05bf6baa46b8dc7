import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { MemoryRouter, useLocation } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Axis, ChartCell, ChartModel } from "@/api/generated";
import { chartModel } from "@/testing/chartModel";
import { openTab } from "@/testing/tabs";
import { ResultView } from "./ResultView";

const drawn = vi.hoisted(() => [] as string[]);

vi.mock("@/charts/DotPlot", () => ({
  DotPlot: ({ axis, shown, note, controls }: { axis: Axis; shown: readonly ChartCell[]; note: string; controls: React.ReactNode }) => {
    drawn.push(`${axis.metric} ${shown.length}`);
    return (
      <div>
        <p>{note}</p>
        {controls}
      </div>
    );
  },
}));
vi.mock("@/charts/RoleBars", () => ({ RoleBars: () => null }));
vi.mock("@/charts/joint/JointChart", () => ({
  JointChart: ({ matching }: { matching: readonly ChartCell[] }) => {
    drawn.push(`joint ${matching.length}`);
    return null;
  },
}));

function Address() {
  return <output aria-label="Address">{useLocation().search}</output>;
}

function show(model: ChartModel, at = "/runs/r") {
  render(
    <MemoryRouter initialEntries={[at]}>
      <ResultView model={model} />
      <Address />
    </MemoryRouter>,
  );
}

const address = () => screen.getByLabelText("Address").textContent;
function settle() {
  act(() => {
    vi.advanceTimersByTime(1000);
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  drawn.length = 0;
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe("typing into the filter", () => {
  it("draws the charts once, for the new cells", () => {
    show(chartModel("all"));
    drawn.length = 0;
    fireEvent.change(screen.getByLabelText("Filter cells by label, hop or state"), { target: { value: "ipv6" } });
    settle();
    expect(drawn.filter((each) => each.endsWith(" 2"))).toEqual(["joint 2", "cpu_us_per_txn 2"]);
  });
});

describe("the choice", () => {
  it("is written to the address, without defaults", () => {
    show(chartModel("all"), "/runs/r?tab=trials&pivot_view=chart");
    fireEvent.change(screen.getByLabelText("Filter cells by label, hop or state"), { target: { value: "ipv6 proxy" } });
    fireEvent.click(screen.getByLabelText("clear differences only"));
    fireEvent.click(screen.getByRole("button", { name: "Largest effect" }));
    fireEvent.change(screen.getByRole("combobox", { name: "Metric of the table" }), { target: { value: "cpu_us_per_txn" } });
    settle();
    expect(address()).toBe("?tab=trials&pivot_view=chart&cells=ipv6+proxy&clear=1&metric=cpu_us_per_txn&order=effect");
    fireEvent.click(screen.getByText("Show all"));
    fireEvent.click(screen.getByRole("button", { name: "Plan order" }));
    fireEvent.change(screen.getByRole("combobox", { name: "Metric of the table" }), { target: { value: "tps" } });
    settle();
    expect(address()).toBe("?tab=trials&pivot_view=chart");
  });

  it("is in the address before a link that is pressed at once opens another page", () => {
    show(chartModel("all"));
    fireEvent.change(screen.getByLabelText("Filter cells by label, hop or state"), { target: { value: "ipv6" } });
    expect(address()).toBe("");
    fireEvent.pointerDown(document.body);
    expect(address()).toBe("?cells=ipv6");
    settle();
    expect(address()).toBe("?cells=ipv6");
  });

  it("can be reset where the address filters a few cells", () => {
    const model = chartModel("all");
    const few = { ...model, cells: model.cells.slice(0, 3) };
    show(few, "/runs/r?cells=nosuch");
    expect(screen.getByText("3 hidden, 0 cells shown")).toBeTruthy();
    fireEvent.click(screen.getByText("Show all"));
    settle();
    expect(address()).toBe("");
    expect(screen.queryByRole("search")).toBeNull();
  });

  it("is restored after Back or a reload", () => {
    const model = chartModel("all");
    const third = { ...model.axes[1]!, metric: "latency_avg_ms", label: "average latency" };
    show({ ...model, axes: [...model.axes, third] }, "/runs/r?cells=ipv6&second=latency_avg_ms&metric=cpu_us_per_txn&order=effect");
    expect(screen.getByLabelText<HTMLInputElement>("Filter cells by label, hop or state").value).toBe("ipv6");
    expect(screen.getByText("11 hidden, 2 cells shown")).toBeTruthy();
    openTab("Overview");
    expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "Metric of this chart" }).value).toBe("latency_avg_ms");
    openTab("Trials");
    expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "Metric of the table" }).value).toBe("cpu_us_per_txn");
    expect(screen.getByRole("button", { name: "Largest effect" }).getAttribute("aria-pressed")).toBe("true");
    settle();
    expect(address()).toBe("?cells=ipv6&second=latency_avg_ms&metric=cpu_us_per_txn&order=effect&tab=trials");
  });
});

describe("a very large result", () => {
  it("mentions no dots and offers no order by noise where single values are omitted", () => {
    const model = chartModel("all");
    const cells = model.cells.map((cell) => ({
      ...cell,
      summaries: Object.fromEntries(Object.entries(cell.summaries).map(([metric, summary]) => [metric, metric === "tps" ? summary : { ...summary, values: [], cv_percent: null }])),
    }));
    show({ ...model, cells, reduced: { digits: 4, ladders_left_out: 0, sentence: "Shortened.", without_values: ["cpu_us_per_txn"] } }, "/runs/r?order=noise&tab=overview");
    expect(screen.queryByText(/One dot per trial/)).toBeNull();
    expect(screen.getByText(/the trials are on each cell’s page/)).toBeTruthy();
    openTab("Trials");
    const orders = () => within(screen.getByRole("group", { name: "Order" })).getAllByRole("button").map((button) => `${button.textContent} ${button.getAttribute("aria-pressed")}`);
    expect(orders()).toEqual(["Plan order false", "Largest effect false", "Noisiest true"]);
    fireEvent.change(screen.getByRole("combobox", { name: "Metric of the table" }), { target: { value: "cpu_us_per_txn" } });
    expect(orders()).toEqual(["Plan order true", "Largest effect false"]);
  });
});

describe("an imported run", () => {
  it("labels a cell without a log as not imported everywhere", () => {
    const model = chartModel("all");
    show({ ...model, origin: "imported" }, "/runs/r?tab=statistics");
    expect(screen.getByText("1 not imported")).toBeTruthy();
    openTab("Trials");
    expect(screen.getAllByText("not imported").length).toBeGreaterThan(1);
    expect(screen.queryByText(/cannot run here/)).toBeNull();
    fireEvent.change(screen.getByLabelText("Filter cells by label, hop or state"), { target: { value: "not imported" } });
    expect(screen.getByText("12 hidden, 1 cell shown")).toBeTruthy();
  });
});

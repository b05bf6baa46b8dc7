import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { useLocation } from "react-router";
import { render } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { ChartModel } from "@/api/generated";
import { chartModel } from "@/testing/chartModel";
import { sweepModel, wholeModel } from "@/testing/chartParts";
import { Still } from "@/testing/render";
import { openTab } from "@/testing/tabs";
import { sweepOf } from "@/testing/sharedRows";
import { ResultView } from "@/features/result/ResultView";
import { sweptFactor, tabAt, tabOfSection, tabsOf } from "./tabs";

afterEach(cleanup);

const LINKS = {
  cell: (id: string) => `/cells/${id}`,
  round: (id: string, round: number) => `/cells/${id}/${round}`,
  host: "/hosts/h",
  open: () => undefined,
  image: () => () => "/image",
};

function Address() {
  const { search, hash } = useLocation();
  return <output aria-label="Address">{search + hash}</output>;
}

function show(model: ChartModel, at = "/runs/r", links: typeof LINKS | undefined = LINKS) {
  render(
    <Still at={at}>
      <ResultView model={model} {...(links && { links })} />
      <Address />
    </Still>,
  );
}

const address = () => screen.getByLabelText("Address").textContent;
const open = () => screen.getByRole("tab", { selected: true }).textContent;
const available = { canRequest: true, panels: null };

describe("the tabs", () => {
  it("are those that have content", () => {
    expect(tabsOf(chartModel("measured"), available)).toEqual([
      "overview",
      "latency",
      "trials",
      "statistics",
      "environment",
    ]);
    expect(tabsOf(wholeModel(), available)).toContain("hops");
    expect(tabsOf(sweepOf(2, [1, 8]), available)).toContain("sweep");
    expect(tabsOf(sweepModel(), { canRequest: false, panels: null })).toEqual([
      "overview",
      "sweep",
      "trials",
      "statistics",
      "environment",
    ]);
  });

  it("name the number of clients as what is swept, where that is varied", () => {
    expect([
      sweptFactor(sweepOf(1, [1, 8])),
      sweptFactor(sweepModel()),
      sweptFactor(chartModel("all")),
    ]).toEqual(["clients", "rate", null]);
    show(sweepOf(2, [1, 8]));
    expect(screen.getByRole("tab", { name: "By clients" })).toBeTruthy();
  });

  it("have none for latency where the tool reports none", () => {
    const model = chartModel("measured");
    const cells = model.cells.map((cell) => ({
      ...cell,
      levels: { ...cell.levels, tool: "iperf3" },
    }));
    expect(tabsOf({ ...model, cells }, available)).not.toContain("latency");
  });

  it("open by their address, and are written to it, where the fragment stays", () => {
    show(wholeModel(), "/shared?tab=hops#token");
    expect(open()).toBe("Hops");
    openTab("Environment");
    expect([open(), address()]).toEqual(["Environment", "?tab=environment#token"]);
    expect(screen.getByRole("tabpanel", { name: "Environment" })).toBeTruthy();
  });

  it("open by arrow keys, which go around, with one tab stop", () => {
    show(chartModel("measured"));
    const key = (name: string) => fireEvent.keyDown(screen.getByRole("tablist"), { key: name });
    key("ArrowLeft");
    expect([open(), document.activeElement?.textContent]).toEqual(["Environment", "Environment"]);
    key("ArrowRight");
    key("ArrowRight");
    expect(open()).toBe("Latency");
    key("End");
    expect(open()).toBe("Environment");
    key("Home");
    expect(open()).toBe("Overview");
    expect(screen.getAllByRole("tab").filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
  });

  it("have the number of warnings", () => {
    show(chartModel("measured"));
    expect(screen.getByRole("tab", { name: "Statistics, 3 warnings" })).toBeTruthy();
  });

  it("are all on paper", () => {
    show(wholeModel());
    expect(screen.queryByRole("heading", { name: "Environment" })).toBeNull();
    act(() => void window.dispatchEvent(new Event("beforeprint")));
    expect(screen.getByRole("table", { name: /^Every cell/ })).toBeTruthy();
    expect(screen.getAllByRole("heading", { name: "Environment" }).length).toBeGreaterThan(0);
    act(() => void window.dispatchEvent(new Event("afterprint")));
    expect(screen.queryByRole("table", { name: /^Every cell/ })).toBeNull();
  });
});

describe("an earlier link to a section", () => {
  it("opens the tab that has it now", () => {
    show(wholeModel(), "/runs/r?order=effect#result-checks");
    expect([open(), address()]).toEqual([
      expect.stringMatching(/^Statistics/),
      "?order=effect&tab=statistics",
    ]);
  });

  it("has a tab for each section", () => {
    const tabs = tabsOf(wholeModel(), available);
    const found = [
      "verdict",
      "findings",
      "cells",
      "table",
      "panels",
      "series",
      "hops",
      "pivot",
      "checks",
      "environment",
    ].map((section) => tabOfSection(tabs, `#result-${section}`));
    expect(found).toEqual([
      "overview",
      "statistics",
      "overview",
      "trials",
      "latency",
      "trials",
      "hops",
      "trials",
      "statistics",
      "environment",
    ]);
    expect(tabOfSection(["overview"], "#result-hops")).toBe("overview");
    expect(tabOfSection(tabs, "#a-token-of-a-share")).toBeNull();
  });

  it("whose parameters choose something among the trials opens these", () => {
    const tabs = tabsOf(wholeModel(), available);
    const at = (query: string) => tabAt(tabs, new URLSearchParams(query));
    expect(
      ["series=c2", "pivot_rows=path", "cells=ipv6", "tab=nonsense", "series=c2&tab=overview"].map(
        at,
      ),
    ).toEqual(["trials", "trials", "overview", "overview", "overview"]);
  });
});

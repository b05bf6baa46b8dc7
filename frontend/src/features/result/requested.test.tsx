import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Axis, PanelFigure, ResultPanels } from "@/api/generated";
import { cellSeries } from "@/testing/cellSeries";
import { chartModel } from "@/testing/chartModel";
import { showAt } from "@/testing/render";
import { serve, type SentRequest } from "@/testing/server";
import { sweepOf } from "@/testing/sharedRows";
import { openTab } from "@/testing/tabs";
import { shownPanels } from "./panelFilter";
import { ResultView } from "./ResultView";

const figure: PanelFigure = { n: 10, median: 5, interval: null };
const axis: Axis = { metric: "tps", label: "tps", unit: "1/s", better: "higher", domain: [0, 10], zoom: [0, 10], decimals: 0 };
const point = (cell_id: string, dominated: boolean) => ({ cell_id, label: cell_id, color: 0, shape: 0, cost: figure, rate: figure, dominated });
const PANELS: ResultPanels = {
  run_id: "",
  sweeps: [
    {
      factor: "clients",
      label: "clients",
      levels: [{ level: 1, label: "" }, { level: 2, label: "" }],
      axes: [axis],
      series: [
        { label: "a", color: 0, shape: 0, cells: ["c1", "c2"], figures: { tps: [figure, figure] } },
        { label: "b", color: 1, shape: 0, cells: ["c3", null], figures: { tps: [figure, null] } },
      ],
      left_out: 0,
    },
  ],
  trade_offs: [{ cost_axis: axis, rate_axis: axis, points: [point("c1", false), point("c3", true)], frontier: ["c1"], left_out: 0 }],
  latencies: [{ loop: "closed", names: ["mean"], domain: [0, 10], decimals: 1, rows: [{ cell_id: "c3", label: "c3", color: 0, shape: 0, figures: { mean: figure } }], left_out: 0 }],
};
const links = { cell: (id: string) => `/cells/${id}`, round: (id: string, round: number) => `/cells/${id}/${round}`, host: "/hosts/h", open: vi.fn(), image: () => () => "/image" };

let requests: SentRequest[];

function show(view: React.ReactNode, address = "/", answer: (path: string) => unknown = () => cellSeries()) {
  requests = serve(({ path }) => (path.endsWith("/panels") ? PANELS : answer(path)));
  showAt(address, { "/": view });
}

const seriesRequests = () => requests.filter(({ path }) => path.includes("series")).map(({ url, body }) => [url, body]);

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("shownPanels", () => {
  it("keeps the figures of the cells that match, and leaves out what has none", () => {
    const left = shownPanels(PANELS, new Set(["c2"]));
    expect(left.sweeps[0]?.series.map(({ label, figures }) => [label, figures["tps"]])).toEqual([["a", [null, figure]]]);
    expect([left.trade_offs, left.latencies]).toEqual([[], []]);
    const other = shownPanels(PANELS, new Set(["c3"]));
    expect(other.trade_offs[0]?.points.map(({ cell_id: id }) => id)).toEqual(["c3"]);
    expect(other.trade_offs[0]?.frontier).toEqual([]);
    expect(other.latencies[0]?.rows).toHaveLength(1);
  });
});

describe("the trials over time", () => {
  it("are requested when the tab of trials is opened, for the cell of the address", async () => {
    const model = chartModel("all");
    show(<ResultView model={model} links={links} />, "/?series=c2&tab=overview");
    expect(seriesRequests()).toEqual([]);
    openTab("Trials");
    expect(await screen.findByRole("img", { name: /^3 trials of / })).toBeTruthy();
    expect(seriesRequests()).toEqual([[`/api/v1/runs/${model.run_id}/cells/c2/series`, undefined]]);
  });

  it("are those behind the token of a share link, in the body of the request", async () => {
    show(<ResultView model={chartModel("all")} share={{ token: "secret", isLive: false, panels: PANELS }} />);
    openTab("Trials");
    expect(await screen.findByRole("img", { name: /^3 trials of / })).toBeTruthy();
    expect(seriesRequests()).toEqual([["/api/v1/shares:open-series", { token: "secret", cell_id: "c1" }]]);
    openTab("Overview");
    expect(await screen.findByRole("heading", { name: "Throughput against CPU cost" })).toBeTruthy();
  });

  it("say so where no trial is recorded, and where nothing was kept over time", async () => {
    show(<ResultView model={chartModel("all")} links={links} />, "/", () => cellSeries({ trials: [] }));
    openTab("Trials");
    expect(await screen.findByText("No trial of this cell has been recorded yet.")).toBeTruthy();
    cleanup();
    show(<ResultView model={chartModel("all")} links={links} />, "/", () => cellSeries({ rate: null, cpu: {}, tool: "ab" }));
    openTab("Trials");
    expect(await screen.findByText("Nothing over time: ab reports no rate by interval, and CPU was not sampled.")).toBeTruthy();
  });

  it("can be requested again after a failure", async () => {
    let fails = true;
    show(<ResultView model={chartModel("all")} links={links} />, "/", () => (fails ? undefined : cellSeries()));
    openTab("Trials");
    const again = await screen.findByRole("button", { name: /again/i });
    fails = false;
    fireEvent.click(again);
    expect(await screen.findByRole("img", { name: /^3 trials of / })).toBeTruthy();
  });
});

describe("the panels", () => {
  const panelRequests = () => requests.filter(({ path }) => path.endsWith("/panels")).length;

  it("are requested once, with the first tab that has one", async () => {
    show(<ResultView model={sweepOf(2, [1, 8])} links={links} />, "/?tab=environment");
    expect(panelRequests()).toBe(0);
    openTab("By clients");
    expect(await screen.findByRole("heading", { name: "Throughput and CPU by clients" })).toBeTruthy();
    expect(screen.queryByRole("heading", { name: "Throughput against CPU cost" })).toBeNull();
    openTab("Latency");
    expect(await screen.findByRole("heading", { name: /^Latency under full load/ })).toBeTruthy();
    expect(panelRequests()).toBe(1);
  });

  it("say where a run has none of a part", async () => {
    serve(({ path }) => (path.endsWith("/panels") ? { ...PANELS, latencies: [] } : undefined));
    showAt("/?tab=latency", { "/": <ResultView model={chartModel("all")} links={links} /> });
    expect(await screen.findByText("The tools of this run report no latency.")).toBeTruthy();
  });
});

describe("the filter of the result", () => {
  it("limits the panels too, and says so", async () => {
    show(<ResultView model={chartModel("all")} links={links} />);
    expect(await screen.findByRole("heading", { name: "Throughput against CPU cost" })).toBeTruthy();
    fireEvent.change(screen.getByLabelText("Filter cells by label, hop or state"), { target: { value: "no such word" } });
    expect(await screen.findByText("No cell that matches the filter is in a panel.")).toBeTruthy();
  });
});

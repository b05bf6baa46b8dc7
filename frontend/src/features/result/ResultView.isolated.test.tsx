import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ImageChoice } from "@/api/exports";
import { chartModel } from "@/testing/chartModel";
import { imagesOf } from "@/testing/popups";
import { Still } from "@/testing/render";
import { openTab } from "@/testing/tabs";
import { resultGroups, resultMarkdown, resultRows } from "./tableRows";
import { ResultView } from "./ResultView";

const imageAt = (choice: ImageChoice) => (format: string, theme: string) => `/${format}/${theme}/${Object.values(choice).join("/")}`;
const LINKS = { cell: (id: string) => `/runs/r/cells/${id}`, round: (id: string, round: number) => `/runs/r/cells/${id}/rounds/${round}`, host: "/hosts/h", open: () => undefined, image: imageAt };

function show(kind: "measured" | "all", links?: typeof LINKS, tab = "overview") {
  const model = chartModel(kind);
  render(
    <Still at={`/?tab=${tab}`}>
      <ResultView model={model} {...(links && { links })} />
    </Still>,
  );
  return model;
}

function rowOf(name: string): HTMLElement {
  const table = screen.getByRole("table", { name: /^Every cell/ });
  return within(table).getByRole("row", { name: new RegExp(name) });
}

describe("ResultView", () => {
  afterEach(cleanup);

  it("offers every chart as an image in its menu alone, in the displayed unit and metric", async () => {
    show("all", LINKS);
    const href = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
    expect(await imagesOf("CPU per transaction")).toEqual({ PNG: "/png/light/dots/cpu_us_per_txn", SVG: "/svg/light/dots/cpu_us_per_txn" });
    expect(screen.queryByRole("link", { name: "CPU per transaction as PNG" })).toBeNull();
    expect((await imagesOf("CPU by role"))["SVG"]).toBe("/svg/light/roles/us_per_txn");
    fireEvent.click(within(screen.getByRole("group", { name: "CPU by role: unit" })).getAllByRole("button")[0]!);
    expect((await imagesOf("CPU by role"))["SVG"]).toBe("/svg/light/roles/cores");
    openTab("Trials");
    expect(href("Pivot as SVG")).toBe("/svg/light/heatmap/tps/path/userland_proxy/none/none");
    fireEvent.click(within(screen.getByRole("group", { name: "Pivot: table or chart" })).getByRole("button", { name: "Chart" }));
    expect(href("Pivot as SVG")).toBe("/svg/light/facets/tps/same/path/userland_proxy/none/none");
  });

  it("links images of the matching cells, and no image where none matches", async () => {
    const model = show("all", LINKS);
    const filter = (value: string) => fireEvent.change(screen.getByLabelText("Filter cells by label, hop or state"), { target: { value } });
    filter("ipv6");
    const left = model.cells.filter(({ label }) => label.includes("ipv6")).map(({ id }) => id).join(",");
    await waitFor(async () => expect((await imagesOf("CPU per transaction"))["PNG"]).toBe(`/png/light/dots/cpu_us_per_txn/${left}`));
    expect((await imagesOf("CPU by role"))["SVG"]).toBe(`/svg/light/roles/us_per_txn/${left}`);
    filter("no such word");
    await waitFor(async () => expect(await imagesOf("CPU per transaction")).toEqual({}));
    expect(await imagesOf("CPU by role")).toEqual({});
    openTab("Trials");
    expect(screen.getByRole("link", { name: "Pivot as SVG" })).toBeTruthy();
  });

  it("names at most as many cells in an address as an image draws", async () => {
    const model = chartModel("measured");
    const cells = Array.from({ length: 400 }, (_, at) => ({ ...model.cells[0]!, id: `c${at}`, label: at === 0 ? "another" : "a cell of many" }));
    render(
      <Still>
        <ResultView model={{ ...model, cells }} links={LINKS} />
      </Still>,
    );
    fireEvent.change(screen.getByLabelText("Filter cells by label, hop or state"), { target: { value: "many" } });
    const named = async () => (await imagesOf("CPU per transaction"))["PNG"]!.split("/").at(-1)!.split(",");
    await waitFor(async () => expect(await named()).toHaveLength(120));
    const found = await named();
    expect([found[0], found.at(-1)]).toEqual(["c1", "c120"]);
  });

  it("links no images for a share link", async () => {
    show("all");
    expect(await imagesOf("Throughput and CPU")).toEqual({});
    expect(await imagesOf("CPU per transaction")).toEqual({});
    expect(screen.queryByRole("link", { name: / as (PNG|SVG)$/ })).toBeNull();
  });

  it("has a text and a table for every chart", () => {
    show("all");
    expect(screen.getByRole("img", { name: /^Median CPU per transaction, all roles of 6 cells/ })).toBeTruthy();
    const image = screen.getByRole("img", { name: /^transactions per second and CPU of 12 cells/ });
    expect(image.getAttribute("aria-label")).toContain("published_ipv6_loopback, proxy off: cannot run here");
    for (const button of screen.getAllByRole("button", { name: "Table" })) fireEvent.click(button);
    const rows = (name: RegExp) => within(screen.getByRole("table", { name })).getAllByRole("row").length;
    expect(rows(/^CPU per transaction, all roles in µs, by cell/)).toBe(7);
    expect(rows(/^transactions per second in 1\/s and CPU by role in cores/)).toBe(13);
  });

  it("states that a zoomed axis does not start at 0", () => {
    show("measured");
    expect(screen.queryByText(/does not start at 0\./)).toBeNull();
    fireEvent.click(screen.getAllByRole("button", { name: "Zoom" })[0]!);
    expect(screen.getByText(/does not start at 0\./)).toBeTruthy();
  });

  it("has no link for a share link", () => {
    show("measured");
    expect(screen.queryAllByRole("link")).toHaveLength(0);
  });

  it("groups many cells under headings, each cell once", () => {
    const model = chartModel("all");
    const cells = [0, 1, 2].flatMap((copy) => model.cells.map((cell) => ({ ...cell, id: `${cell.id}-${copy}` })));
    const groups = resultGroups({ ...model, cells }, model.axes[0]!, "plan");
    expect(groups.map(({ group }) => group)).toContain("published_loopback");
    expect(groups.flatMap(({ rows }) => rows)).toHaveLength(cells.length);
    expect(resultGroups({ ...model, cells }, model.axes[0]!, "effect")).toHaveLength(1);
  });

});

// The tests of a group read what was rendered once, and change nothing.
describe("the trials of a result with all states", () => {
  const model = chartModel("all");
  beforeAll(() => void show("all", undefined, "trials"));
  afterAll(cleanup);

  it("shows every cell of the plan with its state, and no figure for a cell without one", () => {
    const table = screen.getByRole("table", { name: /^Every cell/ });
    expect(within(table).getAllByRole("row")).toHaveLength(model.cells.length + 1);
    for (const [name, word] of [
      ["container_address, proxy on", "failed"],
      ["published_host_address, proxy on", "path contradicted"],
      ["published_host_address, proxy off", "waiting"],
      ["published_ipv6_loopback, proxy on", "path not proven"],
      ["published_ipv6_loopback, proxy off", "cannot run here"],
    ] as const) {
      const row = rowOf(name);
      expect(within(row).getByText(word)).toBeTruthy();
      expect(row.querySelectorAll("[data-num]")).toHaveLength(0);
    }
  });

  it("shows n, median, interval, ratio, p, verdict, evidence and the published ratio of a measured cell", () => {
    const cell = model.cells.find((each) => each.id === "c5")!;
    const row = rowOf("published_loopback, proxy on");
    expect(row.textContent).toContain("0.595×");
    expect(row.textContent).toContain("0.002");
    expect(row.textContent).toContain("0.010");
    expect(row.textContent).toContain(cell.comparisons["tps"]!.sentence);
    expect(row.textContent).toContain("10 / 10 proven");
    expect(row.textContent).toContain("0.617×");
  });
});

describe("the measured result", () => {
  const model = chartModel("measured");
  beforeAll(() => {
    show("measured", LINKS);
    act(() => void window.dispatchEvent(new Event("beforeprint")));
  });
  afterAll(cleanup);

  it("links the cells", () => {
    expect(screen.getByRole("link", { name: "published_loopback, proxy on" }).getAttribute("href")).toBe("/runs/r/cells/c5");
    expect(screen.getByRole("link", { name: "Capabilities of this host" }).getAttribute("href")).toBe("/hosts/h");
  });

  it("shows claims, the A/A check, warnings and the environment with the seed", () => {
    for (const claim of model.study!.claims) expect(screen.getByText(claim.text)).toBeTruthy();
    expect(screen.getByText(model.duplicates[0]!.sentence, { exact: false })).toBeTruthy();
    expect(screen.getByText(model.notices![0]!.sentence)).toBeTruthy();
    expect(screen.getByText(String(model.seed))).toBeTruthy();
  });

  it("groups the warnings of run and cells by kind, with the number of cells", () => {
    expect(screen.getByRole("heading", { name: "3 kinds of warnings" })).toBeTruthy();
    expect(screen.getAllByText("client thread saturated").length).toBeGreaterThan(0);
    expect(screen.getAllByText("use more threads").length).toBeGreaterThan(0);
    expect(screen.getAllByText("in 1 of 7 cells")).toHaveLength(2);
    expect(screen.getAllByText(/in 3 of 10 trials/).length).toBeGreaterThan(0);
  });
});

describe("resultRows", () => {
  const model = chartModel("all");
  const axis = model.axes[0]!;

  it("has plan order, or the largest effect first and cells without figures last", () => {
    expect(resultRows(model, axis, "plan").map((row) => row.cell.id)).toEqual(model.cells.map((cell) => cell.id));
    const ids = resultRows(model, axis, "effect").map((row) => row.cell.id);
    expect(ids[0]).toBe("c5");
    expect(ids.slice(-5)).toEqual(expect.arrayContaining(["c7", "c9", "c10", "c11", "c12"]));
  });

  it("writes the same figures as Markdown", () => {
    const lines = resultMarkdown(model, axis, "plan").split("\n");
    expect(lines).toHaveLength(4 + model.cells.length);
    expect(lines.find((line) => line.includes("published_loopback, proxy on"))).toContain("0.595× (0.585 – 0.607)");
    expect(lines.at(-1)).toContain("cannot run here: [::1] is not reachable without docker-proxy");
  });
});

import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useLocation } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RunComparisonCell, RunComparison, RunComparisonRow } from "@/api/generated";
import { chartModel } from "@/testing/chartModel";
import { libraryRun } from "@/testing/libraryRuns";
import { imagesOf, press, typeInto } from "@/testing/popups";
import { showAt } from "@/testing/render";
import { serve, type SentRequest } from "@/testing/server";
import { ComparePage } from "./ComparePage";

const side = (median: number): RunComparisonCell => ({ cell_id: "c1", n: 10, median, interval: { low: median * 0.98, high: median * 1.02 }, ratio: 0.6, ratio_interval: { low: 0.58, high: 0.62 } });
const row = (label: string, ratio: number | null): RunComparisonRow => ({
  label, levels: {}, is_baseline: false, a: side(10_000), b: ratio === null ? null : side(10_000 * ratio), n: ratio === null ? 0 : 10, ratio,
  interval: ratio === null ? null : { low: ratio - 0.02, high: ratio + 0.02 }, interval_90: null, p: 0.002, p_holm: 0.004, p_adjusted: 0.004, method: "paired", verdict: ratio === null ? null : "worse", sentence: ratio === null ? "B has no such cell" : "B is 10 % lower",
});
const MODEL: RunComparison = {
  a: { run_id: "r1", name: "n", title: "First", host: "h", started_at: "2026-11-10T12:00:00Z", origin: "measured", rounds: 10 },
  b: { run_id: "r2", name: "n", title: "Second", host: "h", started_at: "2026-11-12T12:00:00Z", origin: "imported", rounds: 10 },
  basis: "values", margin: 0.05, comparable: "partly", reasons: ["The kernel differs."], overridden: false, overridable: false, refused: false,
  differences: [{ key: "governor", a: "performance", b: null, weight: "noted", relevance: "minor", remark: "only A reports it" }, { key: "kernel", a: "6.1", b: "6.12", weight: "decides", relevance: "blocking", remark: "another kernel" }],
  tables: [
    { metric: "tps", label: "transactions per second", unit: "1/s", better: "higher", decimals: 0, headline: "1 of 2 cells differs.", rows: [row("one", 0.9), row("two", null)] },
    { metric: "cpu_us_per_txn", label: "CPU per transaction", unit: "µs", better: "lower", decimals: 1, headline: "Nothing differs.", rows: [row("one", 1.01)] },
  ],
  warnings: ["Only one cell has ten rounds."],
};
const run = (id: string, day: number) => ({ id, experiment_id: "e1", name: "n", title: "T", host: "h", state: "done", seed: 1, created_at: `2026-11-${day}T12:00:00Z`, started_at: null, finished_at: null, cancel_requested: false, progress: { total: 1, done: 1, failed: 0, cancelled: 0, running: 0, eta_s: null }, current: null });

const RUNS = [run("r1", 10), run("r2", 12), run("r3", 11)];
const ABLE = "state:running,done,cancelled,incomplete";
const OLD = { id: "r77", experiment_id: "e9", title: "Ten thousand runs ago", created_at: "2025-01-02T12:00:00Z" };

/** The library has ten thousand runs; the newest ones are those of another experiment. */
function library(q: string) {
  const newest = Array.from({ length: 30 }, (_, index) => libraryRun(10_000 - index, { experiment_id: "e5" }));
  const ofOne = RUNS.map((each, index) => libraryRun(index, { ...each, started_at: null } as object));
  if (q === `${ABLE} experiment:e1`) return { data: ofOne, next_cursor: null, total: 3, problems: [] };
  if (q === `${ABLE} clients:16 -tag:ci`) return { data: [libraryRun(1, OLD)], next_cursor: null, total: 1, problems: [] };
  if (q === ABLE) return { data: newest, next_cursor: "c", total: 1000, problems: [] };
  return { data: [], next_cursor: null, total: 0, problems: [] };
}

let requests: SentRequest[];
/** Answers of one test by path: a status and a body. */
let otherwise: Record<string, [number, unknown]> = {};

beforeEach(() => {
  otherwise = {};
  requests = serve(({ path, query }) => {
    const [, id] = /\/runs\/(r\d+)$/.exec(path) ?? [];
    const [, other] = Object.entries(otherwise).find(([end]) => path.endsWith(end)) ?? [];
    if (other) return Response.json(other[1], { status: other[0] });
    const overridden = query.get("override") === "true";
    const refused = query.get("b") === "r3" && !overridden;
    if (path.endsWith("/comparisons")) return { ...MODEL, ...(refused && { refused, overridable: true, comparable: "not", tables: [] }), overridden, basis: query.get("basis") ?? "values" };
    if (path.endsWith("/library")) return library(query.get("q") ?? "");
    if (id) return RUNS.find((each) => each.id === id);
    return path.endsWith("/result") ? chartModel("measured") : undefined;
  });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Address() {
  return <output aria-label="Address">{useLocation().search}</output>;
}

function show(query: string) {
  showAt(`/compare${query}`, { "/compare": <ComparePage /> }, <Address />);
}

describe("ComparePage", () => {
  it("proposes the newest other run of the same experiment, as the reference", async () => {
    show("?b=r1");
    fireEvent.click(await screen.findByRole("button", { name: /^Compare with the newest other run/ }));
    expect(screen.getByLabelText("Address").textContent).toContain("a=r2");
    await screen.findByRole("heading", { name: "B against A" });
  });

  it("shows the spread between runs, and links a third run where it is not known", async () => {
    const sentence = "No spread between runs has been shown on this host.";
    const tables = (percent: number | null) => MODEL.tables.map((table) => ({ ...table, run_spread: { percent, runs: percent ? 3 : 0, cells: 0, sentence }, rows: table.rows.map((each) => ({ ...each, family: 2, p_adjusted: null, interval_unadjusted: { low: 0.89, high: 0.91 } })) }));
    otherwise = { "/comparisons": [200, { ...MODEL, tables: tables(null), warnings: [sentence] }] };
    show("?a=r1&b=r2");
    expect((await screen.findByRole("link", { name: "Prepare the third run" })).getAttribute("href")).toBe("/new?experiment=e1");
    expect(screen.getAllByText(sentence, { exact: false })).toHaveLength(1);
    expect(screen.getByRole("columnheader", { name: "Ratio B ÷ A, 95 % simultaneous CI of 2 rows, within the two runs" })).toBeTruthy();
    const [own] = screen.getAllByText("unadjusted interval");
    expect(own!.closest("details")!.open).toBe(false);
    cleanup();
    otherwise = { "/comparisons": [200, { ...MODEL, tables: tables(1.2) }] };
    show("?a=r1&b=r2");
    expect(await screen.findByText(sentence)).toBeTruthy();
    expect(screen.queryByRole("link", { name: "Prepare the third run" })).toBeNull();
  });

  it("shows the environments first, with blocking differences on top", async () => {
    show("?a=r1&b=r2");
    await screen.findByRole("heading", { name: "B against A" });
    const headings = screen.getAllByRole("heading", { level: 2 }).map((heading) => heading.textContent);
    expect(headings.indexOf("Environments")).toBeLessThan(headings.indexOf("B against A"));
    const rows = within(within(screen.getByRole("region", { name: "Differences of the environments" })).getByRole("table")).getAllByRole("row");
    expect(rows[1]!.textContent).toBe("kernel6.16.12!blockinganother kernel");
    expect(rows[1]!.dataset["relevance"]).toBe("blocking");
    expect(rows[2]!.textContent).toContain("–");
    expect(screen.getByText("The kernel differs.")).toBeTruthy();
    expect(screen.getByText("imported, without evidence")).toBeTruthy();
  });

  it("shows each metric with both sides, ratio, p and verdict, and a cell that only one run has", async () => {
    show("?a=r1&b=r2");
    const table = (await screen.findAllByRole("table", { name: "transactions per second, both runs" }))[0]!;
    const [, one, two] = within(table).getAllByRole("row");
    expect(one!.textContent).toContain("9,000");
    expect(one!.textContent).toContain("0.900×");
    expect(one!.textContent).toContain("0.880 – 0.920");
    expect(one!.textContent).toContain("B is 10 % lower");
    expect(one!.textContent).toContain("0.004unadjusted 0.002");
    expect(two!.textContent).toContain("not in this run");
    await screen.findByRole("img", { name: /^Ratio of B to A, transactions per second\. one: 0\.900×/ });
    expect((await imagesOf("Ratios, B to A"))["PNG"]).toBe("/api/v1/comparisons/exports/png?a=r1&b=r2&override=false&metric=tps&theme=light");
    fireEvent.change(screen.getByRole("combobox", { name: "Metric of the comparison" }), { target: { value: "cpu_us_per_txn" } });
    await screen.findByText(/Nothing differs\./);
    expect(screen.getByLabelText("Address").textContent).toContain("metric=cpu_us_per_txn");
  });

  it("compares ratios to the own baseline on request", async () => {
    show("?a=r1&b=r2");
    fireEvent.click(await screen.findByRole("button", { name: "Ratios" }));
    expect(screen.getByLabelText("Address").textContent).toContain("basis=ratios");
    expect((await screen.findAllByText("0.600")).length).toBeGreaterThan(0);
    expect(requests.at(-1)?.url).toContain("basis=ratios");
  });

  it("shows the reasons of a refusal, and a banner after an override", async () => {
    show("?a=r1&b=r3");
    fireEvent.click(await screen.findByRole("button", { name: "Compare anyway" }));
    await screen.findByText("Compared, although the runs are not comparable.");
    expect(screen.getByLabelText("Address").textContent).toContain("override=1");
    expect(screen.getByRole("heading", { name: "B against A" })).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Swap A and B" }));
    expect(screen.getByLabelText("Address").textContent).not.toContain("override");
  });

  it("shows the reasons of an override once", async () => {
    otherwise = { "/comparisons": [200, { ...MODEL, comparable: "not", overridden: true, warnings: ["Compared although not comparable: The kernel differs.", "Only one cell has ten rounds."] }] };
    show("?a=r1&b=r3&override=1");
    await screen.findByText("Compared, although the runs are not comparable.");
    expect(screen.getAllByText(/The kernel differs\./)).toHaveLength(1);
    expect(screen.getByText("Only one cell has ten rounds.")).toBeTruthy();
  });

  it("offers the other basis after a refusal, and resets the basis for another pair", async () => {
    show("?a=r1&b=r3&basis=values");
    await screen.findByRole("heading", { name: "Not compared" });
    fireEvent.click(screen.getByRole("button", { name: "Ratios" }));
    expect(screen.getByLabelText("Address").textContent).toContain("basis=ratios");
    fireEvent.click(screen.getByRole("button", { name: "Swap A and B" }));
    expect(screen.getByLabelText("Address").textContent).not.toContain("basis");
    cleanup();
    show("?a=r1&b=r3&basis=ratios&override=1");
    const box = screen.getByRole("combobox", { name: "Run B" });
    await waitFor(() => expect((box as HTMLInputElement).value).toBe("T"));
    press(box);
    const near = await screen.findByRole("group", { name: "The same experiment" });
    fireEvent.click(within(near).getAllByRole("option")[0]!);
    expect(screen.getByLabelText("Address").textContent).toBe("?a=r1&b=r2");
  });

  it("offers no override where there is nothing to compare", async () => {
    otherwise = { "/comparisons": [200, { ...MODEL, refused: true, comparable: "not", tables: [], differences: [], reasons: ["A has no finished trial: wait for its first one, or choose another run."] }] };
    show("?a=r1&b=r3");
    await screen.findByText(/A has no finished trial/);
    expect(screen.queryByRole("button", { name: "Compare anyway" })).toBeNull();
    expect(screen.queryByText(/something that decides/)).toBeNull();
  });

  it("finds the oldest of ten thousand runs by terms of the library", async () => {
    show("?a=r1");
    const box = screen.getByRole("combobox", { name: "Run B" });
    press(box);
    await screen.findByText("The newest 30 of 1,000+ runs; type more to find others.");
    expect(screen.queryByRole("option", { name: /Ten thousand/ })).toBeNull();
    typeInto(box, "clients:16 -tag:ci");
    await screen.findByRole("option", { name: /^Ten thousand runs ago/ });
    fireEvent.keyDown(box, { key: "Enter" });
    await waitFor(() => expect(screen.getByLabelText("Address").textContent).toBe("?a=r1&b=r77"));
  });

  it("says that no run matches, and that the runs could not be loaded", async () => {
    show("?a=r1");
    const box = screen.getByRole("combobox", { name: "Run B" });
    press(box);
    await screen.findByRole("group", { name: "The same experiment" });
    typeInto(box, "zzzz");
    await waitFor(() => expect(screen.getAllByRole("status").map(({ textContent }) => textContent)).toContain("No match"));
    otherwise = { "/library": [500, { title: "Out of order", detail: "broken", code: "broken" }] };
    typeInto(box, "other");
    await waitFor(() => expect(screen.getAllByRole("status").map(({ textContent }) => textContent).join()).toContain("The runs could not be loaded."));
    expect(screen.queryByText("No match")).toBeNull();
  });

  it("shows why the cells could not be loaded, and tries again", async () => {
    otherwise = { "/result": [500, { title: "Out of order", detail: "broken", code: "broken" }] };
    show("?a=r1&b=r1&a_cell=&b_cell=");
    await screen.findByRole("heading", { name: "Out of order" });
    expect(screen.getAllByText("The cells could not be loaded")).toHaveLength(2);
    otherwise = {};
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    await within(screen.getByRole("combobox", { name: "Cell B" })).findByRole("option", { name: "published_loopback, proxy on" });
    expect(screen.queryByRole("heading", { name: "Out of order" })).toBeNull();
  });

  it("states what to choose where both sides are one run or one cell", async () => {
    show("?a=r1&b=r1&a_cell=c1&b_cell=c1");
    await screen.findByText(/are the same cell/);
    fireEvent.click(screen.getByRole("button", { name: "Compare all cells" }));
    await screen.findByText(/Choose another run, or two cells of this one\./);
    fireEvent.click(screen.getByRole("button", { name: "Compare two cells of it" }));
    await screen.findByRole("combobox", { name: "Cell A" });
  });

  it("compares two cells, also of one run, and requests nothing before both are chosen", async () => {
    show("?a=r1&b=r1&a_cell=c1&b_cell=");
    const choose = await screen.findByRole("combobox", { name: "Cell B" });
    await within(choose).findByRole("option", { name: "published_loopback, proxy on" });
    expect(requests.some(({ url }) => url.includes("/comparisons"))).toBe(false);
    fireEvent.change(choose, { target: { value: "c5" } });
    await screen.findByRole("heading", { name: "B against A" });
    expect(requests.at(-1)?.url).toContain("a_cell=c1&b_cell=c5");
  });
});

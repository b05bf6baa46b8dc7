import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useLocation } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ComparisonMatrix, MatrixColumn, MatrixEntry } from "@/api/generated";
import { chartModel } from "@/testing/chartModel";
import { typeInto } from "@/testing/popups";
import { showAt } from "@/testing/render";
import { serve, type SentRequest } from "@/testing/server";
import { ComparePage } from "./ComparePage";

const column = (letter: string, run: string, changes: Partial<MatrixColumn> = {}): MatrixColumn => ({
  letter, run_id: run, name: "n", title: `Title ${letter}`, host: "h", started_at: "2026-11-10T12:00:00Z", origin: "measured", rounds: 10, state: "done", cell_id: null, cell_label: null,
  is_reference: letter === "A", comparable: "comparable", reasons: [], overridable: false, refused: false, run_spread: null, ...changes,
});
const entry = (median: number, changes: Partial<MatrixEntry> = {}): MatrixEntry => ({
  cell_id: "c1", n: 10, median, median_interval: { low: median * 0.98, high: median * 1.02 }, own_ratio: 0.6, own_ratio_interval: { low: 0.58, high: 0.62 }, compared_n: 10, ratio: null, interval: null,
  p_adjusted: null, interval_unadjusted: null, judged: false, verdict: null, sentence: null, ...changes,
});
const compared = (ratio: number) => entry(10_000 * ratio, { ratio, interval: { low: ratio - 0.02, high: ratio + 0.02 }, p_adjusted: 0.004, judged: true, verdict: "worse" });
const MODEL: ComparisonMatrix = {
  columns: [column("A", "r1"), column("B", "r2", { comparable: "partly", reasons: ["The kernel differs."] }), column("C", "r3", { run_spread: { percent: null, runs: 0, cells: 0, sentence: "" } })],
  reference: 0, basis: "values", margin: 0.05, overridden: false, refused: false,
  differences: [{ key: "kernel", relevance: "relevant", entries: [{ value: "6.1", relevance: null, remark: null }, { value: "6.12", relevance: "relevant", remark: "the kernel forwards the packets" }, { value: "6.1", relevance: null, remark: null }] }],
  metrics: [{ metric: "tps", label: "transactions per second" }, { metric: "latency_avg_ms", label: "mean latency" }], metric: "tps", label: "transactions per second", unit: "1/s", better: "higher", decimals: 0,
  family: 3, methods: ["two samples"], warnings: [{ id: "other_rounds", columns: [], text: "from the server" }],
  rows: [
    { label: "one", levels: {}, is_baseline: true, entries: [entry(10_000), compared(0.9), entry(9_900, { ratio: 0.99, interval: { low: 0.97, high: 1.01 }, verdict: "no_difference_shown" })] },
    { label: "two", levels: {}, is_baseline: false, entries: [entry(8_000), null, entry(8_100, { verdict: "undefined", sentence: "? (a median is zero)" })] },
  ],
};
const run = (id: string) => ({ id, experiment_id: "e1", name: "n", title: `Title ${id}`, host: "h", state: "done", seed: 1, created_at: "2026-11-10T12:00:00Z", started_at: null, finished_at: null, cancel_requested: false, origin: "measured", progress: { total: 1, done: 1, failed: 0, cancelled: 0, running: 0, eta_s: null }, current: null });

let requests: SentRequest[];
let model: ComparisonMatrix;
let gone: readonly string[];

beforeEach(() => {
  model = MODEL;
  gone = [];
  requests = serve(({ path, query }) => {
    const id = /\/runs\/(r\d+)$/.exec(path)?.[1];
    if (id && gone.includes(id)) return Response.json({ title: "Not found", detail: "there is no such run", status: 404, code: "not_found" }, { status: 404 });
    if (id) return run(id);
    if (path.endsWith("/comparisons/matrix")) return model;
    if (path.endsWith("/comparisons")) return Response.json({ title: "Out of order", detail: "broken", code: "broken" }, { status: 500 });
    if (path.endsWith("/library")) {
      const data = (query.get("q") ?? "").endsWith("clients:16") ? ["r4"].map(run) : ["r1", "r2", "r3"].map(run);
      return { data: data.map((each) => ({ ...each, author: "", tags: [] })), next_cursor: null, total: data.length, problems: [] };
    }
    return path.endsWith("/result") ? chartModel("measured") : undefined;
  });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const Address = () => <output aria-label="Address">{useLocation().search}</output>;
const show = (query: string) => showAt(`/compare${query}`, { "/compare": <ComparePage /> }, <Address />);
const address = () => screen.getByLabelText("Address").textContent;

describe("matrix of several runs", () => {
  it("shows the environments first, then each entry with value, interval, n, ratio and verdict", async () => {
    show("?run=r1&run=r2&run=r3");
    const table = await screen.findByRole("table", { name: /^transactions per second \(1\/s\)/ });
    const headings = screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
    expect(headings.indexOf("Environments")).toBeLessThan(headings.indexOf("Matrix"));
    expect(table.querySelector("caption")!.textContent).toContain("95 % simultaneous CI of 3 ratios");
    const [, one, two] = within(table).getAllByRole("row");
    const [a, b, c] = within(one!).getAllByRole("cell");
    expect(a!.textContent).toBe("10,0009,800 – 10,200, n 10");
    expect(b!.textContent).toContain("0.900× 0.880 – 0.920▼worseadjusted p 0.004");
    expect(c!.textContent).toContain("not judged");
    expect(within(two!).getAllByRole("cell").map(({ textContent }) => textContent).slice(1)).toEqual(["not in this run", expect.stringContaining("? (a median is zero)")]);
    const kernel = within(screen.getByRole("region", { name: "Differences of the environments" })).getAllByRole("row")[1]!;
    expect(kernel.textContent).toBe("kernel△relevant6.16.12≠ the kernel forwards the packets6.1");
    expect(screen.getByText(/^Column C: no spread between runs/)).toBeTruthy();
    expect(screen.getByText(/not measured in the same rounds/)).toBeTruthy();
  });

  it("chooses another reference, metric and basis, and removes a column", async () => {
    show("?run=r1&run=r2&run=r3");
    await screen.findByRole("heading", { name: "Matrix" });
    fireEvent.click(screen.getByRole("radio", { name: /^Column B/ }));
    expect(address()).toContain("reference=1");
    fireEvent.change(screen.getByRole("combobox", { name: "Metric of the comparison" }), { target: { value: "latency_avg_ms" } });
    expect(address()).toContain("metric=latency_avg_ms");
    fireEvent.click(screen.getByRole("button", { name: "Ratios" }));
    expect(address()).toContain("basis=ratios");
    fireEvent.click(screen.getByRole("button", { name: "Remove column A" }));
    expect(address()).toContain("run=r2&run=r3");
    expect(address()).not.toContain("reference");
  });

  it("links its files with the same choice", async () => {
    show("?run=r1&run=r2&run=r3&reference=2");
    expect((await screen.findByRole("link", { name: "CSV" })).getAttribute("href")).toBe("/api/v1/comparisons/matrix/exports/csv?run=r1&run=r2&run=r3&reference=2");
    expect(screen.getByRole("link", { name: "Markdown" })).toBeTruthy();
  });

  it("adds a run by search with the keyboard", async () => {
    show("?run=r1&run=r2");
    const box = await screen.findByRole("combobox", { name: "Add a run" });
    typeInto(box, "clients:16");
    await waitFor(() => expect(screen.getAllByRole("option").filter(({ tagName }) => tagName === "DIV").map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/^Title r4/)]));
    fireEvent.keyDown(box, { key: "Enter" });
    await waitFor(() => expect(address()).toContain("run=r1&run=r2&run=r4"));
  });

  it("asks for the cells of each column, and requests nothing before", async () => {
    show("?run=r1&run=r2");
    await screen.findByRole("heading", { name: "Matrix" });
    const before = requests.filter(({ path }) => path.endsWith("/matrix")).length;
    fireEvent.click(screen.getByRole("button", { name: "Single cells" }));
    expect(await screen.findByText("Choose a cell in these columns: A, B")).toBeTruthy();
    expect(screen.getByRole("combobox", { name: "Cell of column B" })).toBeTruthy();
    expect(requests.filter(({ path }) => path.endsWith("/matrix"))).toHaveLength(before);
  });

  it("names the columns whose run was deleted, and removes them", async () => {
    gone = ["r2"];
    show("?run=r1&run=r2&run=r3");
    await screen.findByText(/The run of column B does not exist any more/);
    fireEvent.click(screen.getByRole("button", { name: "Remove the column" }));
    expect(address()).toContain("run=r1&run=r3");
    await screen.findByRole("heading", { name: "Matrix" });
  });

  it("leaves a column that is not comparable without figures until the override", async () => {
    model = { ...MODEL, columns: [MODEL.columns[0]!, column("B", "r2", { comparable: "not", refused: true, overridable: true, reasons: ["Another processor."] })], differences: [], rows: [{ ...MODEL.rows[0]!, entries: [entry(10_000), null] }] };
    show("?run=r1&run=r2");
    await screen.findByText(/Column B is not comparable with the reference/);
    expect(within(screen.getByRole("table", { name: /^transactions/ })).getAllByText("not comparable")).toHaveLength(1);
    fireEvent.click(screen.getByRole("button", { name: "Compare anyway" }));
    expect(address()).toContain("override=1");
  });

  it("goes from a pair to columns and back", async () => {
    show("?a=r1&b=r2");
    fireEvent.click(await screen.findByRole("button", { name: "Compare several runs" }));
    expect(address()).toBe("?run=r1&run=r2");
    fireEvent.click(screen.getByRole("button", { name: "Compare as a pair" }));
    expect(address()).toBe("?a=r1&b=r2");
  });

  it("has one obvious first step where nothing is chosen", () => {
    show("?view=matrix");
    expect(screen.getByRole("heading", { name: "No run is chosen" })).toBeTruthy();
    expect(screen.getByRole("combobox", { name: "Add a run" })).toBeTruthy();
  });
});

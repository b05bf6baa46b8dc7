import { cleanup, render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, describe, expect, it } from "vitest";
import type { ChartModel } from "@/api/generated";
import { chartModel } from "@/testing/chartModel";
import { openTab } from "@/testing/tabs";
import { AnswerHead } from "./AnswerHead";
import { ResultView } from "./ResultView";

afterEach(cleanup);

const QUALITY = {
  trials: 70, retaken: 9, retakes: 12, retaken_by: [{ kind: "steal", count: 8 }, { kind: "other processes", count: 4 }], waited_seconds: 95, contaminated: 3,
  contaminated_by: [{ kind: "steal", count: 3 }], invalid: 1, noisy: false, sentence: "Host noise: 9 of 70 trials were repeated.",
} satisfies ChartModel["quality"];
const SERVERS = { restart_every: 2, starts: 20, between: 0.012, within: 0.02, sentence: "Servers were restarted every 2 rounds (20 starts)." } satisfies ChartModel["servers"];

function show(change: Partial<ChartModel>, served?: "shared" | "own") {
  const model = chartModel("measured");
  const cells = model.cells.map((cell) => ({ ...cell, comparisons: Object.fromEntries(Object.entries(cell.comparisons).map(([metric, each]) => [metric, { ...each, server: cell.id === "c5" ? "own" : served }])) })) as ChartModel["cells"];
  const shown = { ...model, ...change, ...(served && { cells }) };
  render(
    <MemoryRouter initialEntries={["/?tab=statistics"]}>
      <AnswerHead model={shown} />
      <ResultView model={shown} />
    </MemoryRouter>,
  );
}

const card = (name: string) => within(screen.getByRole("heading", { name }).closest("section")!);
const fact = (title: string, name: string) => card(title).getByText(name).parentElement!.textContent;

describe("host noise", () => {
  it("is counted, and said once", () => {
    show({ quality: QUALITY, notices: [{ sentence: QUALITY.sentence, cell_id: null }] });
    expect(fact("Host noise", "repeated")).toBe("repeated9 (steal 8, other processes 4)");
    expect(fact("Host noise", "contaminated after all repeats, excluded")).toContain("3 (steal 3)");
    expect(fact("Host noise", "invalid, excluded")).toContain("1");
    expect(fact("Host noise", "wait for a quiet host")).toContain("1 min 35 s");
    expect(screen.getAllByText(QUALITY.sentence)).toHaveLength(1);
  });

  it("marks a run whose host stayed noisy", () => {
    show({ quality: { ...QUALITY, noisy: true } });
    expect(within(screen.getByRole("region", { name: "Verdict" })).getByText("host stayed noisy")).toBeTruthy();
  });

  it("adds no remark where no trial was disturbed, and has no card in older runs", () => {
    show({ quality: { ...QUALITY, sentence: null } });
    expect(card("Host noise").getByText(/No trial was disturbed/)).toBeTruthy();
    cleanup();
    show({ quality: null });
    expect(screen.queryByText("Host noise")).toBeNull();
  });
});

describe("server starts", () => {
  it("shows their number, the spread that they add, and the comparisons across servers", () => {
    show({ servers: SERVERS }, "shared");
    expect(card("Server starts").getByText(SERVERS.sentence)).toBeTruthy();
    expect(fact("Server starts", "comparisons across servers")).toContain("1: n counts server starts");
    expect(card("Server starts").queryByText("one server start for all rounds")).toBeNull();
    openTab("Trials");
    const row = within(screen.getByRole("table", { name: /^Every cell/ })).getByRole("row", { name: /^published_loopback, proxy on/ });
    expect(row.textContent).toContain("across servers, n counts their starts");
  });

  it("marks a run from before servers were restarted", () => {
    show({ servers: { ...SERVERS, restart_every: null, starts: null, between: null, within: null } });
    expect(card("Server starts").getByText("one server start for all rounds")).toBeTruthy();
  });
});

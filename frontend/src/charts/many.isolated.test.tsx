import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, describe, expect, it } from "vitest";
import { sweepModel, wholeModel } from "@/testing/chartParts";
import { imagesOf } from "@/testing/popups";
import { KneeCard } from "./KneeCard";
import { HopCostCard } from "./HopCostCard";
import { stepsOf } from "./hopCostLayout";
import { LatencyPercentiles } from "./LatencyPercentiles";

afterEach(cleanup);

describe("HopCostCard", () => {
  it("links the image of its path ladder by its base cell, of several that of all", async () => {
    const model = wholeModel();
    const [ladder] = model.ladders;
    const image = (base: string) => (format: string) => `/${base || "all"}.${format}`;
    const { unmount } = render(<HopCostCard model={model} image={image} />, { wrapper: MemoryRouter });
    expect((await imagesOf("What each hop costs"))["PNG"]).toBe("/c1.png");
    unmount();
    const ladders = ["c1", "c5"].map((base_id) => ({ ...ladder!, base_id, title: `From ${base_id}` }));
    render(<HopCostCard model={{ ...model, ladders }} image={image} />, { wrapper: MemoryRouter });
    expect((await imagesOf("Cost per hop"))["PNG"]).toBe("/all.png");
  });

  it("names the number of steps that the intervals are simultaneous over", () => {
    const model = wholeModel();
    const ladders = model.ladders.map((each) => ({ ...each, rungs: stepsOf(each).map((step) => ({ ...step, cpu: step.cpu && { ...step.cpu, family: 2, p_adjusted: 0.031 } })) }));
    render(<HopCostCard model={{ ...model, interim_analyses: null, ladders }} />, { wrapper: MemoryRouter });
    fireEvent.click(within(screen.getByRole("group", { name: "What each hop costs: chart or table" })).getByRole("button", { name: "Table" }));
    expect(screen.getByRole("columnheader", { name: "95 % simultaneous CI of 2 steps" })).toBeTruthy();
    expect(within(screen.getByRole("table", { name: "What each hop costs" })).getByRole("row", { name: /^published_loopback/ }).textContent).toContain("0.031");
  });

  const model = wholeModel();
  const [ladder] = model.ladders;
  const [step] = stepsOf(ladder!);
  const ladders = [1, 8].map((clients) => ({
    ...ladder!,
    base_id: `base, ${clients} clients`,
    title: `Ladder ${clients}`,
    rungs: Array.from({ length: 14 }, (_, index) => ({ ...step!, cell_id: `path ${index + 1}, ${clients} clients` })),
  }));

  it("draws six paths, and more on request", () => {
    render(<HopCostCard model={{ ...model, ladders }} />, { wrapper: MemoryRouter });
    const paths = () => screen.getAllByText(/^path \d+$/, { selector: "p" });
    expect(paths()).toHaveLength(6);
    expect(screen.getByText(/^6 of 14 charts are shown/)).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Show 6 more" }));
    expect(paths()).toHaveLength(12);
    fireEvent.click(screen.getByRole("button", { name: "Show 2 more" }));
    expect(paths()).toHaveLength(14);
    expect(screen.queryByText(/are shown/)).toBeNull();
  });

  it("describes the compared path by its hops, not as cheaper", () => {
    render(<HopCostCard model={model} />, { wrapper: MemoryRouter });
    expect(screen.getByText(/^Each path against the nearest one with no more hops, paired by round/)).toBeTruthy();
    expect(screen.queryByText(/cheaper/)).toBeNull();
  });

  it("draws no chart where no cost was measured", () => {
    const bare = { ...ladder!, title: "Bare", rungs: stepsOf(ladder!).map((step) => ({ ...step, cpu: null, throughput: null })) };
    render(<HopCostCard model={{ ...model, ladders: [bare, ladder!] }} />, { wrapper: MemoryRouter });
    expect(screen.queryByRole("heading", { name: "Bare" })).toBeNull();
    expect(screen.getAllByRole("img")).toHaveLength(1);
  });
});

describe("KneeCard", () => {
  const model = sweepModel();
  const [knee] = model.knees;
  const many = { ...model, knees: Array.from({ length: 30 }, (_, index) => ({ ...knee!, title: `Sweep ${index + 1}` })) };

  it("draws twelve sweeps with their sentences and figures, and more on request", () => {
    render(<KneeCard model={many} />);
    expect(screen.getByRole("img", { name: /^Knees of 12 of 30 sweeps/ })).toBeTruthy();
    expect(screen.getAllByRole("heading", { level: 3 })).toHaveLength(12);
    fireEvent.click(screen.getByRole("button", { name: "Show 12 more" }));
    expect(screen.getAllByRole("listitem").filter((item) => item.textContent.startsWith("Sweep"))).toHaveLength(24);
    fireEvent.click(screen.getByRole("button", { name: "Table" }));
    expect(screen.getAllByRole("row", { name: /^Sweep \d/ })).toHaveLength(24);
  });

  it("states in the table that an interval begins below the lowest load", () => {
    render(<KneeCard model={{ ...model, knees: [{ ...knee!, level: 1000, interval: { low: 0, high: 2000 } }] }} />);
    fireEvent.click(screen.getByRole("button", { name: "Table" }));
    const row = within(screen.getByRole("table", { name: "Knees" })).getByRole("row", { name: /^same_container/ });
    expect(row.textContent).toContain("below 1,000 – 2,000");
  });
});

describe("LatencyPercentiles", () => {
  const histogram = [[1000, 50], [2000, 45], [9000, 5]] as const;

  it("estimates percentiles from the histogram where the tool reports none", () => {
    render(<LatencyPercentiles histogram={histogram} metrics={{}} operations="transactions" />);
    expect(screen.getByRole("img").getAttribute("aria-label")).toBe("Latency of transactions from their scheduled start, estimated from the histogram: p50 1.000 ms, p90 2.000 ms, p99 9.000 ms.");
    expect(screen.queryByText("percentile reported by the tool")).toBeNull();
  });
});

import { focusManager } from "@tanstack/react-query";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Run } from "@/api/generated";
import { showAt } from "@/testing/render";
import { serve, type SentRequest } from "@/testing/server";
import { RunList } from "./RunList";
import { useRunFilter } from "./useRunFilter";
import { useRuns } from "./useRuns";

const START = Date.parse("2026-11-01T10:00:00Z");
const PROGRESS = { total: 10, done: 3, failed: 0, running: 0, cancelled: 0, skipped: 0, spared: 0, eta_s: null };

/** Returns a run; a higher number is newer. */
function run(number: number, state: Run["state"] = "done", done = 3): Run {
  return { id: `run_${number}`, experiment_id: "e", name: "n", title: `Run ${number}`, state, host: "h", origin: "measured", progress: { ...PROGRESS, done }, current: null, seed: 1, created_at: new Date(START).toISOString(), started_at: null, finished_at: null, cancel_requested: false };
}

let newest: Run[];
let older: Run[];
let requests: SentRequest[];

let starred: string[];

function answer({ path, query, method }: SentRequest): unknown {
  if (path.endsWith("/star")) {
    const id = path.split("/").at(-2)!;
    starred = method === "PUT" ? [id, ...starred] : starred.filter((each) => each !== id);
    return new Response(null, { status: 204 });
  }
  if (path.endsWith("/stars")) return { runs: starred, experiments: [] };
  if (query.get("starred") || query.get("tag")) {
    const wanted = [...newest, ...older].filter(({ id, tags }) => (!query.get("starred") || starred.includes(id)) && (!query.get("tag") || tags?.includes(query.get("tag")!)));
    return { data: wanted, next_cursor: null };
  }
  if (query.get("cursor") === "older") return { data: older, next_cursor: null };
  if (path.endsWith("/runs")) return { data: newest, next_cursor: "older" };
  return [...newest, ...older].find(({ id }) => path.endsWith(id));
}

function List() {
  const { filter, change } = useRunFilter();
  return <RunList runs={useRuns(filter)} first={undefined} filter={filter} onFilter={change} />;
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: START });
  starred = ["run_3"];
  newest = [run(4), run(3)];
  older = [run(2), run(1)];
  requests = serve(answer);
  showAt("/", { "/": <List /> });
});
afterEach(() => {
  cleanup();
  focusManager.setFocused(undefined);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(1000 * seconds));
const titles = () => screen.getAllByRole("listitem").map((item) => item.querySelector("a span")?.textContent);

async function bothPages() {
  await screen.findByText("Run 4");
  fireEvent.click(screen.getByRole("button", { name: "Older runs" }));
  await screen.findByText("Run 1");
  requests.length = 0;
}

describe("RunList", () => {
  it("updates the ages of runs", async () => {
    await screen.findByText("Run 4");
    expect(screen.getAllByText(/just now/)).toHaveLength(2);
    await pass(190);
    expect(screen.getAllByText(/3 min ago/)).toHaveLength(2);
  });

  it("requests only the newest page again, and rarely while no run is active", async () => {
    await bothPages();
    await pass(60);
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.length).toBeLessThanOrEqual(4);
    expect(requests.filter(({ url }) => url.includes("cursor"))).toEqual([]);
  });

  it("updates an older active run, and shows a new one", async () => {
    older = [run(2, "running"), run(1)];
    await bothPages();
    older = [run(2, "done", 10), run(1)];
    newest = [run(5, "queued"), run(4)];
    await pass(20);
    expect(titles()).toEqual(["Run 5", "Run 4", "Run 3", "Run 2", "Run 1"]);
    expect(screen.getByText("10 of 10 trials")).toBeTruthy();
    expect(requests.filter(({ url }) => url.includes("cursor"))).toEqual([]);
    requests.length = 0;
    await pass(20);
    expect(requests.filter(({ url }) => url.endsWith("run_2"))).toEqual([]);
  });

  it("has no gap where more runs are new than one page contains", async () => {
    await bothPages();
    newest = [run(9), run(8)];
    older = [run(7), run(6), run(5), run(4), run(3), run(2), run(1)];
    await pass(40);
    expect(titles()).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1].map((number) => `Run ${number}`));
  });

  it("requests nothing while the page is hidden", async () => {
    await bothPages();
    focusManager.setFocused(false);
    await pass(60);
    expect(requests).toEqual([]);
  });

  it("stars a run and lists the starred ones", async () => {
    await screen.findByText("Run 4");
    const star = await screen.findByRole("button", { name: "Star Run 4" });
    expect(screen.getByRole("button", { name: "Star Run 3" }).getAttribute("aria-pressed")).toBe("true");
    fireEvent.click(star);
    await waitFor(() => expect(star.getAttribute("aria-pressed")).toBe("true"));
    fireEvent.click(screen.getByRole("button", { name: "★ Starred" }));
    await waitFor(() => expect(requests.some(({ query }) => query.get("starred") === "true")).toBe(true));
    await waitFor(() => expect(titles()).toEqual(["Run 4", "Run 3"]));
    fireEvent.click(screen.getByRole("button", { name: "Star Run 3" }));
    await waitFor(() => expect(titles()).toEqual(["Run 4"]));
    expect(requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`)).toEqual(["PUT /api/v1/runs/run_4/star", "DELETE /api/v1/runs/run_3/star"]);
  });

  it("lists the runs with a tag of a run, and with a typed one", async () => {
    newest = [{ ...run(4), tags: ["ci", "kernel-6.1"] }, run(3)];
    cleanup();
    showAt("/", { "/": <List /> });
    fireEvent.click(await screen.findByRole("button", { name: "kernel-6.1" }));
    await waitFor(() => expect(titles()).toEqual(["Run 4"]));
    fireEvent.click(screen.getByRole("button", { name: "Show runs without the tag kernel-6.1, too" }));
    await screen.findByText("Run 3");
    fireEvent.change(screen.getByRole("combobox", { name: "Tag" }), { target: { value: "Night" } });
    fireEvent.click(screen.getByRole("button", { name: "Filter" }));
    expect(await screen.findByText("No run matches")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Show all runs" }));
    await screen.findByText("Run 3");
    expect(requests.flatMap(({ query }) => query.get("tag") ?? [])).toContain("night");
  });
});

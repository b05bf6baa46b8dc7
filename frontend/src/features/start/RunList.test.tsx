import { focusManager } from "@tanstack/react-query";
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Run } from "@/api/generated";
import { showAt } from "@/testing/render";
import { serve, type SentRequest } from "@/testing/server";
import { RunList } from "./RunList";
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

function answer({ path, query }: SentRequest): unknown {
  if (query.get("cursor") === "older") return { data: older, next_cursor: null };
  if (path.endsWith("/runs")) return { data: newest, next_cursor: "older" };
  return [...newest, ...older].find(({ id }) => path.endsWith(id));
}

function List() {
  return <RunList runs={useRuns()} first={undefined} />;
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: START });
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
});

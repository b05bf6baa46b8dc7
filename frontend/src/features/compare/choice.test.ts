import { describe, expect, it } from "vitest";
import type { Run } from "@/api/generated";
import { comparisonQuery, choiceOf, conflictOf, proposals, proposedRun } from "./choice";

const run = (id: string, experiment: string, name: string, day: number, state: Run["state"] = "done"): Run => ({
  id, experiment_id: experiment, name, title: name, host: "h", state, seed: 1, created_at: `2026-11-${day}T12:00:00Z`, started_at: null, finished_at: null,
  cancel_requested: false, origin: "measured", progress: { total: 1, done: 1, failed: 0, cancelled: 0, skipped: 0, spared: 0, running: 0, eta_s: null }, current: null,
});
const RUNS = [run("r1", "e1", "n", 10), run("r2", "e1", "n", 12), run("r3", "e2", "n", 13), run("r4", "e3", "m", 14), run("r5", "e1", "n", 15, "queued"), run("r6", "e1", "n", 16)];

describe("proposals", () => {
  it("begin with the newest run of the same experiment, without runs that have no result", () => {
    const found = proposals(RUNS, RUNS[5]);
    expect(found.same.map(({ id }) => id)).toEqual(["r2", "r1"]);
    expect(found.alike.map(({ id }) => id)).toEqual(["r3"]);
    expect(found.others.map(({ id }) => id)).toEqual(["r4"]);
    expect(proposedRun(RUNS, RUNS[5])?.id).toBe("r2");
    expect(proposedRun(RUNS, RUNS[2])?.id).toBe("r6");
    expect(proposedRun(RUNS, RUNS[3])).toBeUndefined();
  });
});

describe("choice", () => {
  const compared = (query: string) => comparisonQuery(choiceOf(new URLSearchParams(query)));

  it("requests nothing until both sides are chosen and differ", () => {
    expect(compared("a=r1")).toBeNull();
    expect(compared("a=r1&b=r1")).toBeNull();
    expect(compared("a=r1&b=r1&a_cell=c1")).toBeNull();
    expect(compared("a=r1&b=r1&a_cell=c1&b_cell=")).toBeNull();
    expect(compared("a=r1&b=r1&a_cell=c1&b_cell=c1")).toBeNull();
  });

  it("distinguishes the same run or cell on both sides from an incomplete choice", () => {
    const gap = (query: string) => conflictOf(choiceOf(new URLSearchParams(query)));
    expect(["a=r1&b=r1", "a=r1&b=r1&a_cell=c1&b_cell=c1"].map(gap)).toEqual(["one run", "one cell"]);
    expect(["", "a=r1", "a=r1&b=r2", "a=r1&b=r1&a_cell=&b_cell=", "a=r1&b=r1&a_cell=c1&b_cell=c2", "a=r1&b=r2&a_cell=c1&b_cell=c1"].map(gap)).toEqual([null, null, null, null, null, null]);
  });

  it("contains both sides, the basis and the override", () => {
    expect(compared("a=r1&b=r2")).toEqual({ a: "r1", b: "r2", override: false });
    expect(compared("a=r1&b=r1&a_cell=c1&b_cell=c2&basis=ratios&override=1")).toEqual({ a: "r1", b: "r1", basis: "ratios", override: true, a_cell: "c1", b_cell: "c2" });
    expect(compared("a=r1&b=r2&basis=guess")?.basis).toBeUndefined();
  });
});

import { describe, expect, it } from "vitest";
import type { LiveEvent, Run, TrialEvent } from "@/api/generated";
import { patchLive, patchRecent, patchRun, runTitle, withEarlier } from "./patch";

const RUN: Run = {
  id: "run_1", experiment_id: "exp_1", name: "n", title: "T", host: "h", state: "running", seed: 1,
  created_at: "2026-11-20T12:00:00Z", started_at: "2026-11-20T12:00:01Z", finished_at: null, cancel_requested: false,
  origin: "measured",
  progress: { total: 10, done: 3, failed: 1, cancelled: 0, skipped: 0, spared: 0, running: 1, eta_s: 60 }, current: null,
};
const DONE: TrialEvent = { trial_id: "trl_1", cell_id: "c1", round: 1, state: "done", metrics: { tps: 1000 }, failure_code: null };
const live = (t: number, trial = "trl_1", rate = 100): LiveEvent => ({ trial_id: trial, cell_id: "c1", t, rate, cores: null });

describe("patchRecent", () => {
  it("puts the newest trial first, once, and keeps a bounded number", () => {
    const began = { ...DONE, state: "running" as const };
    expect(patchRecent(patchRecent([], began), DONE)).toEqual([DONE]);
    let recent: TrialEvent[] = [];
    for (let at = 0; at < 60; at += 1) recent = patchRecent(recent, { ...DONE, trial_id: `trl_${at}` });
    expect(recent).toHaveLength(40);
    expect(recent[0]?.trial_id).toBe("trl_59");
  });
});

describe("withEarlier", () => {
  it("continues with the trials that the server knew before, each once by its newest event", () => {
    const began = { ...DONE, state: "running" as const };
    const before = { ...DONE, trial_id: "trl_0" };
    expect(withEarlier([], [began, before])).toEqual([began, before]);
    expect(withEarlier([DONE], [began, before])).toEqual([DONE, before]);
  });
});

describe("patchLive", () => {
  it("collects the points of one trial and drops late ones", () => {
    const points = [live(1), live(2), live(2), live(1)].reduce<ReturnType<typeof patchLive> | null>(patchLive, null)!.points;
    expect(points).toEqual([1, 2].map((t) => ({ trialId: "trl_1", cellId: "c1", t, rate: 100 })));
  });

  it("continues with another trial, whose CPU is not known yet", () => {
    const cores = { client: 0.3, server: 0.6, proxy: 0, other: 0.1 };
    const next = patchLive(patchLive(null, { ...live(5), cores }), live(1, "trl_2", 7));
    expect(next).toMatchObject({ trialId: "trl_2", points: [{ t: 5 }, { trialId: "trl_2", t: 1, rate: 7 }], cores: null });
  });

  it("keeps a bounded number of points", () => {
    let state: ReturnType<typeof patchLive> | null = null;
    for (let t = 1; t <= 900; t += 1) state = patchLive(state, live(t));
    expect(state!.points).toHaveLength(90);
    expect(state!.points.at(-1)?.t).toBe(900);
  });

  it("keeps the last CPU reading where an event has none", () => {
    const cores = { client: 0.3, server: 0.6, proxy: 0, other: 0.1 };
    expect(patchLive(patchLive(null, { ...live(1), cores }), live(2)).cores).toEqual(cores);
  });
});

describe("patchRun", () => {
  it("keeps the newer state when events are replayed", () => {
    const older = { ...RUN, progress: { ...RUN.progress, done: 1 } };
    expect(patchRun(RUN, older)).toBe(RUN);
    const ended: Run = { ...RUN, state: "done", finished_at: "2026-11-20T12:10:00Z" };
    expect(patchRun(ended, { ...RUN, progress: { ...RUN.progress, done: 9 } })).toBe(ended);
    expect(patchRun(RUN, ended)).toBe(ended);
    expect(patchRun(undefined, RUN)).toBe(RUN);
    const skipped = { ...RUN, progress: { ...RUN.progress, skipped: 4 } };
    expect(patchRun(RUN, skipped)).toBe(skipped);
    expect(patchRun(skipped, RUN)).toBe(skipped);
  });

  it("keeps note and tags, which events do not carry", () => {
    const newer = { ...RUN, progress: { ...RUN.progress, done: 5 } };
    expect(patchRun({ ...RUN, note: "a", tags: ["ci"] }, newer)).toEqual({ ...newer, note: "a", tags: ["ci"] });
  });
});

describe("runTitle", () => {
  it("includes the progress of an active run", () => {
    expect(runTitle(RUN)).toBe("4/10 T");
    expect(runTitle({ ...RUN, state: "queued" })).toBe("queued: T");
    expect(runTitle({ ...RUN, state: "done" })).toBe("T");
  });

  it("begins with the answer of an ended run", () => {
    expect(runTitle({ ...RUN, state: "done" }, "It costs 5 %")).toBe("It costs 5 % · T");
    expect(runTitle(RUN, "It costs 5 %")).toBe("4/10 T");
  });
});

import { describe, expect, it } from "vitest";
import type { ExperimentDocument } from "@/api/types";
import { draftOf, environmentOf, logsOf, rounds, variedOf } from "./logs";

const DOCUMENT: ExperimentDocument = {
  name: "n", title: "T", factors: { path: ["published_loopback", "published_loopback_x", "same_container"], userland_proxy: [true, false], clients: { from: 1, to: 8, times: 2 }, tool: ["pgbench"] },
  rounds: 3, seed: 1, baseline: { path: "same_container" },
};
const VARIED = variedOf(DOCUMENT);
const draft = (name: string) => draftOf(name, name, "out", VARIED);

describe("logs", () => {
  it("asks for the levels of what is varied, sweeps included", () => {
    expect(VARIED.map(({ name, levels }) => [name, levels.length])).toEqual([["path", 3], ["userland_proxy", 2], ["clients", 4]]);
  });

  it("reads levels from a file's name where it says them, numbers only after their factor", () => {
    expect(draft("published_loopback-on-clients_8-run3.log").levels).toEqual({ path: "published_loopback", userland_proxy: true, clients: 8 });
    expect(draft("published_loopback_x off.txt").levels).toEqual({ path: "published_loopback_x", userland_proxy: false });
    expect(draft("8.log").levels).toEqual({});
    expect(draft("onward.log").levels).toEqual({});
  });

  it("counts rounds by cell, around those that were typed", () => {
    const drafts = [draft("same_container on clients 1"), draft("same_container off clients 1"), draft("same_container on clients 1"), { ...draft("same_container on clients 1"), round: 2 }];
    expect(rounds(drafts, VARIED)).toEqual([1, 1, 3, 2]);
  });

  it("sends nothing while a level is missing, or is none of the definition's any more", () => {
    const whole = draft("same_container on clients 2");
    expect(logsOf([whole], VARIED)).toEqual([{ levels: { path: "same_container", userland_proxy: true, clients: 2 }, round: 1, stdout: "out" }]);
    expect(logsOf([whole, draft("same_container")], VARIED)).toBeNull();
    expect(logsOf([{ ...whole, levels: { ...whole.levels, clients: 3 } }], VARIED)).toBeNull();
  });

  it("reads facts of the environment by line", () => {
    expect(environmentOf("kernel: 6.1\n\nimage: postgres:15\nnothing\n: x")).toEqual({ kernel: "6.1", image: "postgres:15" });
  });
});

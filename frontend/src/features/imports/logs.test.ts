import { describe, expect, it } from "vitest";
import type { ExperimentDraft } from "@/api/draft";
import { VOCABULARY } from "@/testing/vocabulary";
import { environmentOf, ignoredLines } from "./environment";
import { draftOf, logsOf, missingOf, withStderr, rounds } from "./logs";
import { factorsOf, variedIn } from "./products";
import { currentErrors, logErrors } from "./importErrors";
import { levelOptions } from "./levelOptions";

const DOCUMENT: ExperimentDraft = {
  name: "n", title: "T", factors: { path: ["published_loopback", "published_loopback_x", "same_container"], userland_proxy: [true, false], clients: { from: 1, to: 8, times: 2 }, tool: ["pgbench"] },
  rounds: 3, seed: 1, baseline: { path: "same_container" },
};
const FACTORS = factorsOf(DOCUMENT, undefined);
const VARIED = variedIn(FACTORS);
const draft = (name: string) => draftOf(name, name, "out", VARIED);

describe("logs", () => {
  it("need the levels of the varied factors, sweeps included", () => {
    expect(VARIED.map(({ name, levels }) => [name, levels.length])).toEqual([["path", 3], ["userland_proxy", 2], ["clients", 4]]);
  });

  it("get the levels in their file name, numbers only after their factor", () => {
    expect(draft("published_loopback-on-clients_8-run3.log").levels).toEqual({ path: "published_loopback", userland_proxy: true, clients: 8 });
    expect(draft("published_loopback_x off.txt").levels).toEqual({ path: "published_loopback_x", userland_proxy: false });
    expect(draft("8.log").levels).toEqual({});
    expect(draft("onward.log").levels).toEqual({});
  });

  it("prefer a level after its factor's name, and use on and off only where one factor has them", () => {
    const two = variedIn(factorsOf({ ...DOCUMENT, factors: { userland_proxy: [true, false], reconnect: [true, false], path: ["same_container", "macvlan"] } }, undefined));
    const read = (name: string) => draftOf(name, name, "", two).levels;
    expect(read("userland_proxy-on-reconnect-off.log")).toEqual({ userland_proxy: true, reconnect: false });
    expect(read("userland_proxy-off-reconnect-on.log")).toEqual({ userland_proxy: false, reconnect: true });
    expect(read("macvlan-on.log")).toEqual({ path: "macvlan" });
    expect(read("macvlan, path same_container.log")).toEqual({ path: "same_container" });
    expect(draft("on-and-off.log").levels).toEqual({});
  });

  it("get the next free round of their cell", () => {
    const drafts = [draft("same_container on clients 1"), draft("same_container off clients 1"), draft("same_container on clients 1"), { ...draft("same_container on clients 1"), round: 2 }];
    expect(rounds(drafts, FACTORS)).toEqual([1, 1, 3, 2]);
  });

  it("are not sent while a level is missing or no longer in the definition", () => {
    const whole = draft("same_container on clients 2");
    expect(logsOf([whole], FACTORS)).toEqual([{ levels: { path: "same_container", userland_proxy: true, clients: 2 }, round: 1, stdout: "out" }]);
    expect(logsOf([whole, draft("same_container")], FACTORS)).toBeNull();
    expect(logsOf([{ ...whole, levels: { ...whole.levels, clients: 3 } }], FACTORS)).toBeNull();
  });

  it("are merged with the stderr file of the same name", () => {
    const [log, other] = [draft("same_container on clients 2.log"), draft("same_container on clients 4.log")];
    const found = withStderr([draft("same_container on clients 2.err"), log, other, draft("nothing.stderr")]);
    expect(found.map(({ name, stderr }) => [name, stderr])).toEqual([[log.name, "out"], [other.name, ""], ["nothing.stderr", ""]]);
    expect(logsOf([found[0]!], FACTORS)![0]!.stderr).toBe("out");
    expect(withStderr(found)).toEqual(found);
    expect(withStderr([draft("a.log"), draft("a.txt"), draft("a.err")])).toHaveLength(3);
  });

  it("have an environment of one fact per line", () => {
    const text = "kernel: 6.1\n\nimage: postgres:15\nnothing\n: x";
    expect(environmentOf(text)).toEqual({ kernel: "6.1", image: "postgres:15" });
    expect(ignoredLines(text)).toEqual(["nothing", ": x"]);
  });

  it("keep their errors until they are changed", () => {
    const [a, b] = [draft("a.log"), draft("b.log")];
    const errors = [{ pointer: "/logs/0/stdout", code: "c", detail: "bad" }, { pointer: "/host", code: "c", detail: "d" }];
    expect(logErrors(errors, [a, b], a)).toEqual([errors[0]]);
    expect(logErrors(errors, [a, b], b)).toEqual([]);
    expect(currentErrors(errors, [a, b], [b])).toEqual([errors[1]]);
    expect(currentErrors(errors, [a, b], [{ ...a, round: 2 }, b])).toEqual([errors[1]]);
    expect(currentErrors(errors, [a, b], withStderr([b, a]))).toEqual(errors);
  });
});

describe("factors of a definition", () => {
  const varied = (document: Partial<ExperimentDraft>) => Object.fromEntries(variedIn(factorsOf({ ...DOCUMENT, ...document }, VOCABULARY)).map(({ name, levels }) => [name, levels]));

  it("include those that rules add, defaults and services", () => {
    const path = ["same_container"];
    expect(varied({ factors: { path }, include: [{ clients: [64] }, { path: "macvlan" }] })).toEqual({ path: ["same_container", "macvlan"], clients: [5, 64] });
    expect(varied({ factors: { path }, include: [{ tool: "wrk" }, { tool: "wrk", gomaxprocs: 4 }] })).toEqual({ tool: ["pgbench", "wrk"], service: ["postgres", "pong"], gomaxprocs: [0, 4] });
    expect(varied({ factors: { path, tool: ["pgbench", "ab"] }, include: 5 as never })).toEqual({ tool: ["pgbench", "ab"], service: ["postgres", "pong"] });
    expect(variedIn(factorsOf({ ...DOCUMENT, factors: { clients: [5] }, include: [{ clients: { from: 6, to: 7 } }] as never }, undefined))).toMatchObject([{ name: "clients", levels: [5, 6, 7] }]);
  });
});

describe("factors that do not apply", () => {
  const document = { ...DOCUMENT, factors: { path: ["same_container"], userland_proxy: [true, false], proxy_program: ["docker-proxy", "rootlesskit"], tool: ["pgbench", "wrk"], protocol: ["simple", "prepared"] } };
  const factors = factorsOf(document, VOCABULARY);
  const of = (name: string) => draftOf(name, name, "out", variedIn(factors));

  it("follow from the log's other levels, and are omitted", () => {
    expect(logsOf([of("wrk-off.log"), of("pgbench-on-docker-proxy-simple.log")], factors)!.map(({ levels }) => levels)).toEqual([
      { tool: "wrk", service: "pong", userland_proxy: false },
      { tool: "pgbench", service: "postgres", userland_proxy: true, proxy_program: "docker-proxy", protocol: "simple" },
    ]);
    expect(levelOptions(of("wrk-off.log").levels, factors).get("protocol")).toEqual({ level: null, offered: [], optional: true });
  });

  it("are required where they apply, and optional where that is not known", () => {
    expect(missingOf([of("pgbench-off.log")], factors)).toEqual(["protocol"]);
    expect(levelOptions(of("off.log").levels, factors).get("protocol")).toMatchObject({ level: undefined, optional: true });
    const alone = factorsOf(document, undefined);
    const left = { ...draftOf("k", "same_container-off-wrk.log", "out", variedIn(alone)) };
    expect(missingOf([left], alone)).toEqual(["proxy_program", "protocol"]);
    expect(logsOf([{ ...left, levels: { ...left.levels, proxy_program: null, protocol: null } }], alone)![0]!.levels).toEqual({ userland_proxy: false, tool: "wrk" });
  });
});

import { describe, expect, it } from "vitest";
import { ApiError } from "@/api/errors";
import type { ExperimentDraft } from "@/api/draft";
import { named, VOCABULARY } from "@/testing/vocabulary";
import { blankDocument, formatField, formatList, formatWords, isSet, levelsOf, parseField, parseList, parseWords, sameField, sameLevels, toggled, withBaseline, withField, withLevels } from "./document";
import { errorsAt, fieldErrors, unplaced } from "@/api/errors";
import { fromYaml, toYaml } from "@/components/yaml";

const PATH = named("path");
const CLIENTS = named("clients");
const DOCUMENT: ExperimentDraft = {
  api_version: "plimsoll/v1", name: "n", title: "T: with a colon", factors: { path: ["same_container", "published_loopback"], clients: [1, 8], userland_proxy: [true, false] },
  rounds: 10, seed: 7, baseline: { path: "same_container", userland_proxy: true }, metrics: ["tps"], margin: 0.05,
};

describe("levels", () => {
  it("reads one level as a list of one and a missing factor as its default", () => {
    expect(levelsOf(DOCUMENT, CLIENTS)).toEqual([1, 8]);
    expect(levelsOf({ ...DOCUMENT, factors: { clients: 3 } }, CLIENTS)).toEqual([3]);
    expect(levelsOf({ ...DOCUMENT, factors: {} }, CLIENTS)).toEqual([5]);
    expect(levelsOf({ ...DOCUMENT, factors: null as never }, CLIENTS)).toEqual([5]);
  });

  it("switches levels in the order of the choices", () => {
    expect(toggled(PATH, ["published_loopback"], "same_container")).toEqual(["same_container", "published_loopback"]);
    expect(toggled(PATH, ["same_container", "published_loopback"], "same_container")).toEqual(["published_loopback"]);
  });

  it("moves the baseline off a level that left", () => {
    expect(withLevels(DOCUMENT, PATH, ["sibling_container"]).baseline).toEqual({ path: "sibling_container", userland_proxy: true });
    expect(withLevels(DOCUMENT, PATH, ["same_container"]).baseline).toEqual(DOCUMENT.baseline);
    expect(withLevels(DOCUMENT, PATH, []).baseline).toEqual(DOCUMENT.baseline);
  });

  it("moves nothing with what is being typed", () => {
    const based = { ...DOCUMENT, baseline: { clients: 8 }, exclude: [{ clients: [8] }] };
    expect(withField(based, CLIENTS, [1])).toEqual({ ...based, factors: { ...based.factors, clients: [1] } });
  });

  it("sets and frees a baseline level", () => {
    expect(withBaseline(DOCUMENT, "path", undefined).baseline).toEqual({ userland_proxy: true });
    expect(withBaseline(DOCUMENT, "clients", 8).baseline).toMatchObject({ clients: 8 });
  });

  it("reads lists of numbers and leaves what is none for the server to refuse", () => {
    expect(parseList("1, 2;4  8")).toEqual([1, 2, 4, 8]);
    expect(parseList("1, x, 2.5")).toEqual([1, "x", 2.5]);
    expect(parseList("NaN")).toEqual(["NaN"]);
    expect(parseList(" ")).toEqual([]);
    expect(formatList([1, 2])).toBe("1, 2");
    expect(sameLevels([1, 2], [1, 2])).toBe(true);
    expect(sameLevels([1, "2"], [1, 2])).toBe(false);
  });

  it("reads a sweep as the levels that it means, and keeps it as it is written", () => {
    const sweep = { from: 1, to: 8, times: 2 };
    const swept = { ...DOCUMENT, factors: { ...DOCUMENT.factors, clients: sweep } };
    expect(levelsOf(swept, CLIENTS)).toEqual([1, 2, 4, 8]);
    expect(parseField("1..8*2")).toEqual(sweep);
    expect(formatField(sweep)).toBe("1..8*2");
    expect(parseField("1, 2")).toEqual([1, 2]);
    expect(sameField(sweep, [1, 2, 4, 8])).toBe(false);
    expect(withLevels(DOCUMENT, CLIENTS, sweep).factors["clients"]).toBe(sweep);
    expect(withLevels({ ...DOCUMENT, baseline: { clients: 3 } }, CLIENTS, sweep).baseline).toEqual({ clients: 1 });
  });

  it("reads free words by spaces, nothing as not set, and both ways", () => {
    expect(parseWords("0,2-3  4-5")).toEqual(["0,2-3", "4-5"]);
    expect(parseWords(" ")).toEqual([""]);
    expect(parseWords("- 0-1")).toEqual(["", "0-1"]);
    expect(formatWords([""])).toBe("");
    expect(formatWords(["", "0-1"])).toBe("- 0-1");
  });

  it("distinguishes a factor at its default from one that is set", () => {
    expect(isSet({ ...DOCUMENT, factors: {} }, CLIENTS)).toBe(false);
    expect(isSet({ ...DOCUMENT, factors: { clients: [5] } }, CLIENTS)).toBe(false);
    expect(isSet(DOCUMENT, CLIENTS)).toBe(true);
  });

  it("begins a new experiment with two paths and the proxy on and off", () => {
    const blank = blankDocument(VOCABULARY.factors);
    expect(blank).toMatchObject({ factors: { path: ["same_container", "published_loopback"], clients: [5], userland_proxy: [true, false] }, baseline: { path: "same_container" } });
    expect(Object.keys(blank.factors)).not.toContain("fsync");
  });
});

describe("YAML", () => {
  it("goes there and back without loss, with levels on one line", () => {
    const text = toYaml(DOCUMENT);
    expect(text).toContain("  path: [same_container, published_loopback]");
    expect(text).toContain("  clients: [1, 8]");
    expect(fromYaml(text)).toEqual({ document: DOCUMENT });
  });

  it("writes a list that is too long for a line one item a line", () => {
    const path = Array.from({ length: 12 }, (_, index) => `published_path_${index}`);
    const text = toYaml({ ...DOCUMENT, factors: { path } });
    expect(text).toContain("  path:\n    - published_path_0\n    - published_path_1\n");
    expect(fromYaml(text)).toMatchObject({ document: { factors: { path } } });
  });

  it("writes rules on one line each", () => {
    const ruled = { ...DOCUMENT, exclude: [{ path: ["same_container"], clients: [8] }] };
    expect(toYaml(ruled)).toContain("exclude:\n  - {path: [same_container], clients: [8]}");
    expect(fromYaml(toYaml(ruled))).toEqual({ document: ruled });
  });

  it("writes a sweep on one line, and reads it again", () => {
    const swept = { ...DOCUMENT, factors: { rate: { from: 1000, to: 8000, step: 1000 } }, thresholds: ["ratio(tps, baseline) >= 0.95"], stopping: { every: 4, at_most: 20 } };
    expect(toYaml(swept)).toContain("  rate: {from: 1000, to: 8000, step: 1000}\n");
    expect(fromYaml(toYaml(swept))).toEqual({ document: swept });
  });

  it("says where malformed text breaks", () => {
    const parsed = fromYaml("name: x\nfactors: [1, 2\nrounds: 3\n");
    expect(parsed).toHaveProperty("problem");
    expect((parsed as { problem: string }).problem).toMatch(/^Line \d+, column \d+: /);
  });

  it("refuses what is no mapping", () => {
    expect(fromYaml("- 1")).toHaveProperty("problem");
    expect(fromYaml("")).toHaveProperty("problem");
  });
});

describe("field errors", () => {
  const at = (pointer: string) => ({ pointer, code: "c", detail: "d" });
  const errors = [at("/factors/clients/1"), at("/factors/clients_max"), at("/extra"), at("/rounds")];

  it("shows an error at the field of its pointer, also for one of its items", () => {
    expect(errorsAt(errors, "/factors/clients").map((error) => error.pointer)).toEqual(["/factors/clients/1"]);
  });

  it("collects what no field shows", () => {
    expect(unplaced(errors, ["/factors", "/rounds"]).map((error) => error.pointer)).toEqual(["/extra"]);
  });

  it("reads them from refusals only", () => {
    expect(fieldErrors(new ApiError(422, "c", "t", "d", errors))).toBe(errors);
    expect(fieldErrors(new Error("x"))).toEqual([]);
  });
});

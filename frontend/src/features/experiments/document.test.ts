import { describe, expect, it } from "vitest";
import { ApiError } from "@/api/errors";
import type { ExperimentDraft } from "@/api/draft";
import { named, VOCABULARY } from "@/testing/vocabulary";
import { blankDocument, formatField, formatList, formatWords, isSet, levelsOf, nameOf, parseField, parseList, parseWords, sameField, sameLevels, toggled, withField, withTitle } from "./document";
import { errorsAt, fieldErrors, errorsOutside } from "@/api/errors";
import { parseYaml, toYaml } from "@/components/yaml";

const PATH = named("path");
const CLIENTS = named("clients");
const DOCUMENT: ExperimentDraft = {
  api_version: "plimsoll/v1", name: "n", title: "T: with a colon", factors: { path: ["same_container", "published_loopback"], clients: [1, 8], userland_proxy: [true, false] },
  rounds: 10, seed: 7, baseline: { path: "same_container", userland_proxy: true }, metrics: ["tps"], margin: 0.05,
};

describe("levels", () => {
  it("are a list of one for a single level, and the default for a missing factor", () => {
    expect(levelsOf(DOCUMENT, CLIENTS)).toEqual([1, 8]);
    expect(levelsOf({ ...DOCUMENT, factors: { clients: 3 } }, CLIENTS)).toEqual([3]);
    expect(levelsOf({ ...DOCUMENT, factors: {} }, CLIENTS)).toEqual([5]);
    expect(levelsOf({ ...DOCUMENT, factors: null as never }, CLIENTS)).toEqual([5]);
  });

  it("are toggled in the order of the choices", () => {
    expect(toggled(PATH, ["published_loopback"], "same_container")).toEqual(["same_container", "published_loopback"]);
    expect(toggled(PATH, ["same_container", "published_loopback"], "same_container")).toEqual(["published_loopback"]);
  });

  it("change nothing else while they are typed", () => {
    const based = { ...DOCUMENT, baseline: { clients: 8 }, exclude: [{ clients: [8] }] };
    expect(withField(based, CLIENTS, [1])).toEqual({ ...based, factors: { ...based.factors, clients: [1] } });
  });

  it("are parsed from lists of numbers; other text is kept for the server to refuse", () => {
    expect(parseList("1, 2;4  8")).toEqual([1, 2, 4, 8]);
    expect(parseList("1, x, 2.5")).toEqual([1, "x", 2.5]);
    expect(parseList("NaN")).toEqual(["NaN"]);
    expect(parseList(" ")).toEqual([]);
    expect(formatList([1, 2])).toBe("1, 2");
    expect(sameLevels([1, 2], [1, 2])).toBe(true);
    expect(sameLevels([1, "2"], [1, 2])).toBe(false);
  });

  it("are expanded from a sweep, which is kept as written", () => {
    const sweep = { from: 1, to: 8, times: 2 };
    const swept = { ...DOCUMENT, factors: { ...DOCUMENT.factors, clients: sweep } };
    expect(levelsOf(swept, CLIENTS)).toEqual([1, 2, 4, 8]);
    expect(parseField("1..8*2")).toEqual(sweep);
    expect(formatField(sweep)).toBe("1..8*2");
    expect(parseField("1, 2")).toEqual([1, 2]);
    expect(sameField(sweep, [1, 2, 4, 8])).toBe(false);
    expect(withField(DOCUMENT, CLIENTS, sweep).factors["clients"]).toBe(sweep);
  });

  it("are parsed from free text by spaces, and formatted", () => {
    expect(parseWords("0,2-3  4-5")).toEqual(["0,2-3", "4-5"]);
    expect(parseWords(" ")).toEqual([""]);
    expect(parseWords("- 0-1")).toEqual(["", "0-1"]);
    expect(formatWords([""])).toBe("");
    expect(formatWords(["", "0-1"])).toBe("- 0-1");
  });

  it("distinguish a factor at its default from one that is set", () => {
    expect(isSet({ ...DOCUMENT, factors: {} }, CLIENTS)).toBe(false);
    expect(isSet({ ...DOCUMENT, factors: { clients: [5] } }, CLIENTS)).toBe(false);
    expect(isSet(DOCUMENT, CLIENTS)).toBe(true);
  });

  it("of a new experiment are a published port, the proxy on and off, and as many rounds as it needs", () => {
    const blank = blankDocument(VOCABULARY.factors);
    expect(blank).toMatchObject({ factors: { path: ["published_loopback"], clients: [8], userland_proxy: [true, false] }, compare: "userland_proxy" });
    expect(blank).toMatchObject({ rounds: 10, stopping: { every: 4, at_most: 22 } });
    expect(Object.keys(blank.factors)).not.toContain("fsync");
  });
});

describe("YAML", () => {
  it("is formatted and parsed without loss, with levels on one line", () => {
    const text = toYaml(DOCUMENT);
    expect(text).toContain("  path: [same_container, published_loopback]");
    expect(text).toContain("  clients: [1, 8]");
    expect(parseYaml(text)).toMatchObject({ document: DOCUMENT });
  });

  it("has one item per line in a long list", () => {
    const path = Array.from({ length: 12 }, (_, index) => `published_path_${index}`);
    const text = toYaml({ ...DOCUMENT, factors: { path } });
    expect(text).toContain("  path:\n    - published_path_0\n    - published_path_1\n");
    expect(parseYaml(text)).toMatchObject({ document: { factors: { path } } });
  });

  it("has one line per rule", () => {
    const ruled = { ...DOCUMENT, exclude: [{ path: ["same_container"], clients: [8] }] };
    expect(toYaml(ruled)).toContain("exclude:\n  - {path: [same_container], clients: [8]}");
    expect(parseYaml(toYaml(ruled))).toMatchObject({ document: ruled });
  });

  it("has a sweep on one line, and is parsed again", () => {
    const swept = { ...DOCUMENT, factors: { rate: { from: 1000, to: 8000, step: 1000 } }, thresholds: ["ratio(tps, baseline) >= 0.95"], stopping: { every: 4, at_most: 20 } };
    expect(toYaml(swept)).toContain("  rate: {from: 1000, to: 8000, step: 1000}\n");
    expect(parseYaml(toYaml(swept))).toMatchObject({ document: swept });
  });

  it("must be a mapping", () => {
    expect(parseYaml("- 1")).toHaveProperty("problem");
    expect(parseYaml("")).toHaveProperty("problem");
  });
});

describe("field errors", () => {
  const at = (pointer: string) => ({ pointer, code: "c", detail: "d" });
  const errors = [at("/factors/clients/1"), at("/factors/clients_max"), at("/extra"), at("/rounds")];

  it("are found by the pointer of a field, also for one of its items", () => {
    expect(errorsAt(errors, "/factors/clients").map((error) => error.pointer)).toEqual(["/factors/clients/1"]);
  });

  it("are found if no field shows them", () => {
    expect(errorsOutside(errors, ["/factors", "/rounds"]).map((error) => error.pointer)).toEqual(["/extra"]);
  });

  it("come from refusals only", () => {
    expect(fieldErrors(new ApiError(422, "c", "t", "d", errors))).toBe(errors);
    expect(fieldErrors(new Error("x"))).toEqual([]);
  });
});

describe("withTitle", () => {
  const blank = blankDocument(VOCABULARY.factors);

  it("gives a new experiment the name that its title suggests, while nobody chose another", () => {
    const typed = ["P", "Pr", "Proxy cost, 8 clients (Überblick)"].reduce(withTitle, blank);
    expect(typed).toMatchObject({ title: "Proxy cost, 8 clients (Überblick)", name: "proxy-cost-8-clients-uberblick" });
    expect(withTitle({ ...typed, name: "chosen" }, "Another").name).toBe("chosen");
    expect(withTitle({ ...blank, name: "pachot-2019", title: "High CPU" }, "Mine").name).toBe("pachot-2019");
  });

  it("suggests a name that the server takes", () => {
    for (const title of ["代价", "", "-", "x".repeat(200), `${"x".repeat(62)} y`]) expect(nameOf(title)).toMatch(/^[a-z0-9][a-z0-9._-]{0,62}$/);
  });
});

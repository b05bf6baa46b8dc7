import { describe, expect, it } from "vitest";
import type { ExperimentDraft } from "@/api/draft";
import { parseYaml, rangeOf, toYaml } from "./yaml";
import { patchYaml } from "./yamlPatch";

const TEXT = `# Why: docker-proxy, second try
name: two   # short
title: "Two: paths"

factors:
  # the paths of the paper
  path: [same_container, published_loopback]
  clients: [1, 8] # enough
  userland_proxy:
    - true   # as shipped
    - false
rounds: 10
baseline: {path: same_container}
exclude:
  # too slow here
  - {path: [same_container], clients: [8]}
`;

function documentOf(text: string): ExperimentDraft {
  const parsed = parseYaml(text);
  if ("problem" in parsed) throw new Error(parsed.problem.code);
  return parsed.document;
}

function changed(text: string, change: (document: ExperimentDraft) => ExperimentDraft): string {
  const next = change(documentOf(text));
  const written = patchYaml(text, next);
  expect(documentOf(written)).toEqual(JSON.parse(JSON.stringify(next)));
  return written;
}

describe("a change of the document", () => {
  it("leaves the text alone where no value changes", () => {
    expect(changed(TEXT, (document) => ({ ...document }))).toBe(TEXT);
  });

  it("keeps comments, order and blank lines, and changes its own line only", () => {
    const written = changed(TEXT, (document) => ({ ...document, rounds: 12, factors: { ...document.factors, clients: [1, 8, 64] } }));
    const [before, after] = [TEXT.split("\n"), written.split("\n")];
    expect(after).toHaveLength(before.length);
    expect(after.filter((line, index) => line.replaceAll(/ +#/g, " #") !== before[index]?.replaceAll(/ +#/g, " #"))).toEqual(["  clients: [1, 8, 64] # enough", "rounds: 12"]);
  });

  it("changes no document that was parsed before", () => {
    const before = documentOf(TEXT);
    changed(TEXT, (document) => ({ ...document, rounds: 12, factors: {} }));
    expect(before).toMatchObject({ rounds: 10, factors: { clients: [1, 8] } });
    expect(documentOf(TEXT)).toEqual(before);
  });

  it("keeps the comments of the items that stay", () => {
    expect(changed(TEXT, (document) => ({ ...document, factors: { ...document.factors, userland_proxy: [true] } }))).toContain("- true # as shipped");
  });

  it("adds and removes fields and rules", () => {
    const added = changed(TEXT, (document) => ({ ...document, margin: 0.1, exclude: [...document.exclude!, { path: ["published_loopback"], clients: [1] }], stopping: { every: 4, at_most: 20 } }));
    expect(added).toContain("  - {path: [published_loopback], clients: [1]}\n");
    expect(added).toContain("# too slow here");
    const removed = changed(added, (document) => ({ ...documentOf(TEXT), margin: document.margin, exclude: undefined }));
    expect(removed).not.toContain("exclude");
    expect(removed).toContain("# the paths of the paper");
  });

  it("writes texts that would be read as something else in quotes", () => {
    expect(changed(TEXT, (document) => ({ ...document, title: "# 1: yes", name: "10" }))).toContain('name: "10" # short');
  });

  it("writes out an alias whose anchor goes away", () => {
    const text = "name: n\ntitle: T\nfactors:\n  path: &paths [same_container]\n  clients: [1]\nbaseline: {path: same_container}\nexclude:\n  - {path: *paths} # kept\n";
    expect(changed(text, ({ factors, ...rest }) => ({ ...rest, factors: { clients: factors["clients"]! } }))).toContain("# kept");
  });

  it("replaces a text that cannot be parsed", () => {
    expect(patchYaml("factors: [", documentOf(TEXT))).toBe(toYaml(documentOf(TEXT)));
  });

  it("keeps a title of 300 characters on its line", () => {
    const title = "a b ".repeat(75);
    expect(changed(TEXT, (document) => ({ ...document, title })).split("\n")).toHaveLength(TEXT.split("\n").length);
  });
});

describe("the range of a pointer", () => {
  const parsed = parseYaml(TEXT);
  const at = (pointer: string) => {
    if ("problem" in parsed) throw new Error(parsed.problem.code);
    const { from, to } = rangeOf(parsed.tree, pointer);
    return TEXT.slice(from, to);
  };

  it.each([
    ["/factors/clients/1", "8"],
    ["/rounds", "rounds: 10"],
    ["/factors/path", "path"],
    ["/exclude/0/clients", "clients"],
    ["/factors/nothing", "factors"],
    ["/stopping/every", ""],
    ["", ""],
  ])("%s is %j", (pointer, text) => expect(at(pointer)).toBe(text));
});

describe("a text that cannot be parsed", () => {
  it.each([
    ["name: a\nrounds: *ten\n", "UNRESOLVED_ALIAS", 2],
    ["name: a\nfactors: [1, 2\nrounds: 3\n", "BAD_INDENT", 3],
    ["- 1", "NO_MAPPING", 1],
    ["", "NO_MAPPING", 1],
    ["a: 1\na: 2\n", "DUPLICATE_KEY", 2],
    ["a: 1\n---\nb: 2\n", "MULTIPLE_DOCS", 2],
    [`title: ${"x".repeat(1024 * 1024)}`, "TOO_LARGE", 1],
  ])("has a problem with its line: %#", (text, code, line) => {
    const found = parseYaml(text);
    expect(found).toMatchObject({ problem: { code, line } });
  });
});

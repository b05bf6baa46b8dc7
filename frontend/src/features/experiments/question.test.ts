import { describe, expect, it } from "vitest";
import type { ExperimentDraft } from "@/api/draft";
import { named, VOCABULARY } from "@/testing/vocabulary";
import { blankDocument } from "./document";
import { withChosenLevels } from "./nesting";
import { defaultQuestion, keepingQuestion, lostIn, offeredQuestions, questionOf, withOneQuestion, withQuestion } from "./question";

const DOCUMENT: ExperimentDraft = {
  name: "n", title: "T", rounds: 10,
  factors: { path: ["same_container", "published_loopback"], userland_proxy: [true, false], clients: [1, 8], tool: ["pgbench"], service: ["postgres"] },
};
const asking = (baseline: ExperimentDraft["baseline"], factors: ExperimentDraft["factors"] = DOCUMENT.factors): ExperimentDraft => ({
  ...DOCUMENT, factors, ...(baseline && { baseline }),
});
const current = (document: ExperimentDraft) => questionOf(document, VOCABULARY);

describe("the question of a document", () => {
  it("is each level against another one, where one factor is named", () => {
    expect(current(asking({ userland_proxy: false }))).toEqual({ kind: "each", factor: "userland_proxy", against: false });
    expect(current(asking({ userland_proxy: true }))).toMatchObject({ against: true });
    expect(current(asking({ clients: 8, tool: "pgbench" }))).toEqual({ kind: "each", factor: "clients", against: 8 });
  });

  it("is all with one cell, where every factor that varies is named", () => {
    const levels = { path: "same_container", userland_proxy: true, clients: 1 };
    expect(current(asking(levels))).toEqual({ kind: "cell", levels });
    const one = { ...DOCUMENT.factors, path: ["same_container"], clients: [1] };
    expect(current(asking({ userland_proxy: true }, one))).toEqual({ kind: "cell", levels: { userland_proxy: true } });
    expect(current(asking({ userland_proxy: false }, one))).toMatchObject({ kind: "each" });
  });

  it("is all with one cell, where a factor that is not named does not apply to that cell", () => {
    const nested = { ...DOCUMENT.factors, clients: [1], proxy_program: ["docker-proxy", "relay"] };
    expect(current(asking({ path: "same_container", userland_proxy: false }, nested))).toMatchObject({ kind: "cell" });
    expect(current(asking({ path: "same_container", userland_proxy: true }, nested))).toMatchObject({ kind: "some" });
  });

  it("is written as it was, where some of the factors are named", () => {
    const levels = { path: "same_container", userland_proxy: true };
    expect(current(asking(levels))).toEqual({ kind: "some", levels });
    expect(offeredQuestions(asking(levels), VOCABULARY).at(-1)).toEqual({ kind: "some", levels });
  });

  it("is docker-proxy on against off where a document names none, else the first factor that varies", () => {
    expect(current(asking(undefined))).toEqual({ kind: "each", factor: "userland_proxy", against: false });
    const without = { ...DOCUMENT.factors, userland_proxy: [true] };
    expect(current(asking(undefined, without))).toEqual({ kind: "each", factor: "path", against: "same_container" });
    expect(current({ ...DOCUMENT, compare: "clients" })).toEqual({ kind: "each", factor: "clients", against: 1 });
    expect(defaultQuestion({ ...DOCUMENT, factors: { path: ["same_container"] } }, VOCABULARY)).toBeNull();
  });

  it("of a new experiment is docker-proxy on against off", () => {
    expect(current(blankDocument(VOCABULARY.factors))).toEqual({ kind: "each", factor: "userland_proxy", against: false });
  });
});

describe("another question", () => {
  it("names the factor, or the levels where these are others, and changes nothing else", () => {
    const document = { ...asking({ path: "same_container" }), compare: "path" };
    const on = offeredQuestions(document, VOCABULARY).map((question) => withQuestion(document, VOCABULARY, question));
    expect(on.map(({ compare, baseline }) => compare ?? baseline)).toEqual([
      "userland_proxy", "path", "clients",
      { path: "same_container", userland_proxy: true, clients: 1 },
    ]);
    for (const next of on) expect({ ...next, baseline: document.baseline, compare: "path" }).toEqual(document);
    expect(on.every((next) => ("compare" in next) !== ("baseline" in next))).toBe(true);
    const other = withQuestion(document, VOCABULARY, { kind: "each", factor: "path", against: "published_loopback" });
    expect(other).toMatchObject({ baseline: { path: "published_loopback" } });
    expect(other).not.toHaveProperty("compare");
  });

  it("is not offered of tools with other rates, which one cell does not name either", () => {
    const tools = { tool: ["pgbench", "wrk"], service: ["postgres", "pong"], clients: [1, 8] };
    const offered = offeredQuestions({ ...DOCUMENT, factors: tools }, VOCABULARY);
    expect(offered).toEqual([
      { kind: "each", factor: "clients", against: 1 },
      { kind: "cell", levels: { clients: 1 } },
    ]);
    const alike = { ...tools, tool: ["wrk", "ab"], service: ["pong"] };
    expect(offeredQuestions({ ...DOCUMENT, factors: alike }, VOCABULARY)).toContainEqual({ kind: "each", factor: "tool", against: "wrk" });
  });
});

describe("a change that takes away what is compared", () => {
  const change = (document: ExperimentDraft, name: string, levels: (string | number | boolean)[]) =>
    withChosenLevels(document, VOCABULARY, named(name), levels);

  it.each([
    ["a path of the cell", { path: "same_container", userland_proxy: true, clients: 1 }, "path", ["published_loopback", "nginx_stream"], { path: "same_container" }],
    ["the path that others were compared with", { path: "same_container" }, "path", ["published_loopback", "nginx_stream"], { path: "same_container" }],
    ["off", { userland_proxy: false }, "userland_proxy", [true], { userland_proxy: false }],
    ["the first number of clients", { clients: 1 }, "clients", [8, 32], { clients: 1 }],
  ] as const)("changes no baseline, and asks: %s", (_what, baseline, name, levels, gone) => {
    const next = change(asking(baseline), name, [...levels]);
    expect(next.baseline).toEqual(baseline);
    expect(lostIn(next, VOCABULARY)).toEqual({ kind: "gone", levels: gone });
    expect(current(next)).toBeNull();
  });

  it("asks where the named factor has one level, and others vary", () => {
    const next = change(asking({ path: "same_container" }), "path", ["same_container"]);
    expect(lostIn(next, VOCABULARY)).toEqual({ kind: "same" });
  });

  it("asks where the tool has no such factor", () => {
    const document = asking({ protocol: "simple" }, { ...DOCUMENT.factors, protocol: ["simple", "prepared"] });
    const next = change(document, "tool", ["wrk"]);
    expect(next.baseline).toEqual({ protocol: "simple" });
    expect(lostIn(next, VOCABULARY)).toEqual({ kind: "gone", levels: { protocol: "simple" } });
  });

  it("asks where the document named the factor alone", () => {
    const path = (levels: string[]) => (kept: ExperimentDraft) => change(kept, "path", levels);
    const document = { ...DOCUMENT, compare: "path" };
    const next = keepingQuestion(document, VOCABULARY, path(["published_loopback", "nginx_stream"]));
    expect(next).not.toHaveProperty("compare");
    expect(lostIn(next, VOCABULARY)).toEqual({ kind: "gone", levels: { path: "same_container" } });
    const wider = keepingQuestion(document, VOCABULARY, path(["same_container", "published_loopback", "nginx_stream"]));
    expect(wider).toMatchObject({ compare: "path" });
    expect(wider).not.toHaveProperty("baseline");
    const earlier = keepingQuestion({ ...DOCUMENT, compare: "path", factors: { ...DOCUMENT.factors, path: ["published_loopback", "nginx_stream"] } }, VOCABULARY, path(["same_container", "published_loopback", "nginx_stream"]));
    expect(earlier).not.toHaveProperty("compare");
    expect(earlier.baseline).toEqual({ path: "published_loopback" });
  });

  it("does not ask for a path that nothing was compared with", () => {
    const next = change(asking({ userland_proxy: false }), "path", ["published_loopback"]);
    expect(lostIn(next, VOCABULARY)).toBeNull();
    expect(current(next)).toMatchObject({ kind: "each", factor: "userland_proxy" });
  });

  it("leaves a level that the page does not know to the server", () => {
    expect(lostIn(asking({ colour: "red", path: "same_container" }), VOCABULARY)).toBeNull();
    expect(lostIn(asking(null as never), VOCABULARY)).toBeNull();
  });
});

describe("one way to say what is compared", () => {
  it("is the factor, where the document names it, or nothing", () => {
    const both = withOneQuestion({ ...asking({ path: "same_container" }), compare: "path" }, VOCABULARY);
    expect(both).toMatchObject({ compare: "path" });
    expect(both).not.toHaveProperty("baseline");
    expect(withOneQuestion(DOCUMENT, VOCABULARY)).toEqual({ ...DOCUMENT, compare: "userland_proxy" });
  });

  it("is the baseline where the document names that alone, or compares nothing", () => {
    for (const document of [asking({ userland_proxy: false }), { ...DOCUMENT, factors: {} }]) {
      expect(withOneQuestion(document, VOCABULARY)).toEqual(document);
    }
  });
});

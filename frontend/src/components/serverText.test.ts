import { afterEach, describe, expect, it } from "vitest";
import { ready } from "@/messages";
import { chooseLanguage } from "@/messages/language";
import { catalogName, serverText } from "./serverText";

afterEach(() => chooseLanguage("en", ready));

const SENTENCE = "Tied for best in throughput: a and b; with 95 % confidence the best is among them.";
const MESSAGE = {
  id: "bestTied",
  figures: { metric: { id: "catalog:metricThroughputGbitS", figures: {} }, cells: { id: "andLast", figures: { names: "a", last: "b" } } },
};

describe("serverText", () => {
  it("shows the server's own sentence in English", () => {
    expect(serverText(SENTENCE, MESSAGE)).toBe(SENTENCE);
  });

  it("makes the sentence from id and figures in another language, whole numbers with separators", async () => {
    await chooseLanguage("zh", ready);
    expect(serverText(SENTENCE, MESSAGE)).toBe("吞吐量并列最好：a 和 b；在 95 % 的置信度下最好的在其中。");
    expect(serverText("", { id: "headlineNoResult", figures: { done: 1, planned: 12000 } })).toBe("尚无结果：12,000 个试验中已完成 1 个。");
    expect(serverText("10 rounds", { id: "rounds", figures: { count: 10 } })).toBe("10 轮");
  });

  it("shows the sentence where the server gives no message, or one of a newer release", async () => {
    await chooseLanguage("zh", ready);
    expect(serverText(SENTENCE, null)).toBe(SENTENCE);
    expect(serverText(SENTENCE, { id: "ofANewerRelease", figures: {} })).toBe(SENTENCE);
  });

  it("does not translate what users wrote: markup and message syntax stay as they are", async () => {
    await chooseLanguage("zh", ready);
    const cell = "<b>{{metric}}</b> $t(ci) \u202e";
    expect(serverText("", { id: "bestIs", figures: { cell, n: 2, metric: "x" } })).toContain(cell);
  });
});

describe("catalogName", () => {
  it("gives names of definitions by name, and the given text for unknown ones", async () => {
    expect(catalogName("path", "macvlan", "macvlan network")).toBe("macvlan network");
    await chooseLanguage("zh", ready);
    expect(catalogName("path", "macvlan", "macvlan network")).toBe("macvlan 网络");
    expect(catalogName("hop", "docker-proxy", "docker-proxy")).toBe("docker-proxy");
    expect(catalogName("metric", "of_a_plugin", "of a plugin")).toBe("of a plugin");
  });
});

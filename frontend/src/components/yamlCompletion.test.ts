import { describe, expect, it } from "vitest";
import type { JsonSchema } from "@/api/experimentSchema";
import { VOCABULARY } from "@/testing/vocabulary";
import { completionsAt } from "./yamlCompletion";
import { contextAt } from "./yamlContext";

const level = (...levels: unknown[]): JsonSchema => ({ anyOf: [{ enum: levels }, { type: "array", items: { enum: levels } }] });
const FACTORS = { path: level("same_container", "published_loopback"), userland_proxy: level(true, false), clients: { description: "how many", default: 5 } };
const SCHEMA: JsonSchema = {
  properties: {
    name: { description: "A short name." },
    factors: { properties: FACTORS },
    baseline: { properties: FACTORS },
    exclude: { type: "array", items: { properties: FACTORS } },
    metrics: { type: "array", items: { enum: ["tps", "rps"] } },
    stopping: { anyOf: [{ properties: { every: {}, at_most: {} } }, { type: "null" }] },
  },
};

/** The text with its cursor at "|". */
function at(text: string) {
  const offset = text.indexOf("|");
  const whole = text.replace("|", "");
  return { context: contextAt(whole, offset), labels: completionsAt(whole, offset, SCHEMA, VOCABULARY)?.options.map(({ label }) => label) ?? null };
}

describe("the context at the cursor", () => {
  it.each([
    ["na|", "key", []],
    ["factors:\n  pa|", "key", ["factors"]],
    ["factors:\n  path: sa|", "value", ["factors", "path"]],
    ["factors:\n  path: [same_container, pu|]", "value", ["factors", "path", 0]],
    ["factors:\n  path:\n    - pu|", "key", ["factors", "path", 0]],
    ["exclude:\n  - {path: [same_container], cl|}", "key", ["exclude", 0]],
    ["exclude:\n  - {path: [sa|", "value", ["exclude", 0, "path", 0]],
    ["exclude:\n- clients: 5\n  pa|", "key", ["exclude", 0]],
    ["exclude:\n  - clients: 5\n    path: sa|", "value", ["exclude", 0, "path"]],
    ["factors: {clients: 5, path: |}", "value", ["factors", "path"]],
    ["rounds: 5\nstopping:\n  # text\n\n  ev|", "key", ["stopping"]],
    ["factors:\n  clients: 5\nro|", "key", []],
  ])("%j is a %s below %j", (text, kind, path) => expect(at(text).context).toMatchObject({ kind, path }));

  it("is nothing in a comment", () => expect(at("name: a # b|").context).toBeNull());
});

describe("completions", () => {
  it("offer the keys that are not there yet", () => {
    expect(at("name: a\n|\nmetrics: [tps]\n").labels).toEqual(["factors", "baseline", "exclude", "stopping"]);
    expect(at("factors:\n  path: [same_container]\n  |\nbaseline: {path: same_container}").labels).toEqual(["userland_proxy", "clients"]);
    expect(at("exclude:\n  - {clients: 5, |}").labels).toEqual(["path", "userland_proxy"]);
  });

  it("offer levels, in a list and alone", () => {
    expect(at("factors:\n  path: [same_container, |]").labels).toEqual(["same_container", "published_loopback"]);
    expect(at("baseline:\n  userland_proxy: |").labels).toEqual(["true", "false"]);
    expect(at("factors:\n  path:\n    - |").labels).toEqual(["same_container", "published_loopback"]);
    expect(at("metrics: [|").labels).toEqual(["tps", "rps"]);
    expect(at("title: |").labels).toBeNull();
  });

  it("begin a line of its own for what holds keys", () => {
    const applied = (text: string) => completionsAt(text, text.length, SCHEMA, undefined)?.options.map(({ apply }) => apply);
    expect(applied("stopping")).toEqual(["name: ", "factors:\n  ", "baseline:\n  ", "exclude: ", "metrics: ", "stopping:\n  "]);
    expect(applied("factors: {")).toEqual(["path: ", "userland_proxy: ", "clients: "]);
  });

  it("have their documentation", () => {
    const text = "baseline: {path: ";
    expect(completionsAt(text, text.length, SCHEMA, VOCABULARY)?.options[0]).toMatchObject({ detail: "same_container", info: "what same_container is\nloopback", apply: "same_container" });
    expect(completionsAt("factors:\n  cl", 13, SCHEMA, undefined)?.options.at(-1)).toMatchObject({ label: "clients", info: "how many", apply: "clients: " });
  });
});

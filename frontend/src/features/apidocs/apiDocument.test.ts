import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { callerOf, canTry, curlOf, groupsOf, matching, partOf, type ApiDocument } from "./apiDocument";

const DOCUMENT = JSON.parse(readFileSync("../docs/openapi.json", "utf8")) as ApiDocument;
const GROUPS = groupsOf(DOCUMENT);
const all = GROUPS.flatMap(({ entries }) => entries);
const entryOf = (id: string) => all.find((each) => each.id === id)!;
const found = (text: string) => matching(GROUPS, text).flatMap(({ entries }) => entries.map(({ id }) => id));

describe("groupsOf", () => {
  it("has every operation once, in the order of the document's tags", () => {
    const ids = Object.values(DOCUMENT.paths).flatMap((operations) => Object.values(operations).map(({ operationId }) => operationId));
    expect(all.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(GROUPS.map(({ name }) => name)).toEqual(DOCUMENT.tags.map(({ name }) => name));
    expect(GROUPS.slice(0, 3).map(({ name }) => name)).toEqual(["Experiments", "Runs", "Results"]);
  });
});

describe("matching", () => {
  it("finds operations by words of summary, id, method, path and group", () => {
    expect(found("start a run")).toContain("startRun");
    expect(found("startrun")).toEqual(["startRun", "startRunOfDocument", "startRunGroup"]);
    expect(found("DELETE webhooks")).toEqual(["deleteWebhook"]);
    expect(found("/trials/{trial_id}/raw")).toEqual(["getTrialRaw"]);
    expect(found("nothing has these words")).toEqual([]);
    expect(found("  ")).toHaveLength(all.length);
  });
});

describe("partOf", () => {
  it("has one operation and exactly the schemas that it uses", () => {
    const part = partOf(DOCUMENT, entryOf("startRun"));
    expect(Object.entries(part.paths).map(([path, operations]) => [path, Object.keys(operations)])).toEqual([["/api/v1/experiments/{experiment_id}/runs", ["post"]]]);
    const text = JSON.stringify(part);
    const names = Object.keys(part.components.schemas);
    expect(names).toContain("RunStart");
    expect(names).not.toContain("ChartModel");
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) expect(names).toContain(name);
    for (const name of names) expect(text).toContain(`"#/components/schemas/${name}"`);
  });

  it("keeps the body of an error once, and says nothing of credentials", () => {
    const { responses, security } = Object.values(Object.values(partOf(DOCUMENT, entryOf("startRun")).paths)[0]!)[0]!;
    const withBody = Object.entries(responses).flatMap(([status, { content }]) => (content ? [status] : []));
    expect(withBody).toEqual(["202", "422"]);
    expect(responses["404"]?.description).toBe("The object does not exist");
    expect(security).toBeUndefined();
  });

  it("does not say that a parameter may be null", () => {
    const { parameters } = Object.values(Object.values(partOf(DOCUMENT, entryOf("listRuns")).paths)[0]!)[0]!;
    expect(parameters?.map(({ name, schema }) => [name, schema.type])).toEqual([["limit", "integer"], ["cursor", "string"], ["tag", "string"], ["starred", "boolean"]]);
  });

  it("takes nothing from the document", () => {
    const before = JSON.stringify(DOCUMENT);
    for (const entry of all) partOf(DOCUMENT, entry);
    expect(JSON.stringify(DOCUMENT)).toBe(before);
  });
});

describe("canTry", () => {
  it.each(["listRuns", "getRun", "getResult", "listHosts"])("offers %s, which reads JSON", (id) => {
    expect(canTry(entryOf(id))).toBe(true);
  });

  it.each(["deleteRun", "startRun", "previewPlan", "streamRun", "exportRun", "getTrialRaw", "startProviderSignIn", "nextClientRequest"])("does not offer %s", (id) => {
    expect(canTry(entryOf(id))).toBe(false);
  });
});

describe("callerOf", () => {
  it.each([
    ["listRuns", "token"], ["endToken", "token"], ["openShare", "public"], ["claimTrial", "worker"], ["setPassword", "session"], ["createTeam", "session"], ["createInvitation", "session"],
  ])("of %s is %s", (id, caller) => {
    expect(callerOf(entryOf(id))).toBe(caller);
  });
});

describe("curlOf", () => {
  it("sends a token, and fills in nothing by itself", () => {
    expect(curlOf(entryOf("getRun"), "https://plimsoll.example")).toBe(
      "curl 'https://plimsoll.example/api/v1/runs/RUN_ID' \\\n  -H \"Authorization: Bearer $PLIMSOLL_TOKEN\"",
    );
  });

  it("sends the example of the body", () => {
    expect(curlOf(entryOf("startRun"), "https://plimsoll.example")).toBe(
      [
        "curl -X POST 'https://plimsoll.example/api/v1/experiments/EXPERIMENT_ID/runs'",
        '-H "Authorization: Bearer $PLIMSOLL_TOKEN"',
        "-H 'Content-Type: application/json'",
        `-d '{"host":"bench-1"}'`,
      ].join(" \\\n  "),
    );
    expect(curlOf(entryOf("createExperiment"), "https://plimsoll.example")).toContain(`-d '{"`);
  });

  it("quotes a quote for the shell, and sends no token where none is needed", () => {
    const entry = entryOf("openShare");
    const text = curlOf({ ...entry, operation: { ...entry.operation, requestBody: { content: { "application/json": { example: { token: "it's" } } } } } }, "https://plimsoll.example");
    expect(text).toContain(`-d '{"token":"it'\\''s"}'`);
    expect(text).not.toContain("Authorization");
  });
});

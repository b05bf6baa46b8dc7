import { describe, expect, it } from "vitest";
import { actionName } from "@/components/actionName";
import { actionChoices, actorOf, localOf, outcomeOf, utcOf } from "./auditText";

describe("words of the audit log", () => {
  it("writes an operation as words", () => {
    expect(actionName("startRun")).toBe("Start run");
    expect(actionName("createSignInLink")).toBe("Create sign in link");
  });

  it("offers common actions and those of the log, each once", () => {
    const values = actionChoices(["startRun", "disableWebhook"]).map(({ value }) => value);
    expect(values.filter((value) => value === "startRun")).toHaveLength(1);
    expect(values).toContain("disableWebhook");
  });

  it.each([
    [{ status: 202, code: null }, "done, 202", "good"],
    [{ status: 0, code: null }, "done", "good"],
    [{ status: 403, code: "forbidden" }, "refused, 403 forbidden", "warn"],
    [{ status: 503, code: "unavailable" }, "failed, 503 unavailable", "bad"],
  ] as const)("states the outcome of %o", (line, word, tone) => {
    expect(outcomeOf(line)).toMatchObject({ word, tone });
  });

  it("names the token that an account used", () => {
    expect(actorOf({ actor: "Ada", token_prefix: null })).toBe("Ada");
    expect(actorOf({ actor: "Ada", token_prefix: "plm_abcd" })).toBe("Ada, token plm_abcd…");
  });

  it("converts local times to UTC and back", () => {
    const utc = utcOf("2026-11-22T10:30");
    expect(localOf(utc)).toBe("2026-11-22T10:30");
    expect([utcOf(""), utcOf("soon"), localOf(null), localOf("x")]).toEqual([null, null, "", ""]);
  });
});

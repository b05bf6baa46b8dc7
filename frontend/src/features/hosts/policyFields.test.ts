import { describe, expect, it } from "vitest";
import type { PolicySettings } from "@/api/generated";
import { describeHours, fieldsOf, policyFacts, policyOf } from "./policyFields";

const POLICY: PolicySettings = {
  engines: ["on", "host"], host_network: false, programs: ["fast"], longest_trial_s: 90, partners: ["bench-2", "bench-3"],
  hours: { time_zone: "UTC", windows: [{ days: ["sat", "sun"], opens: "00:00", closes: "24:00" }] },
};

describe("fields of a policy", () => {
  it("give the same policy back", () => {
    expect(policyOf(fieldsOf(POLICY, "Europe/Berlin"), false)).toEqual(POLICY);
  });

  it("limit nothing where the policy limits nothing", () => {
    const open = { engines: null, host_network: true, programs: null, longest_trial_s: null, hours: null };
    expect(policyOf(fieldsOf({}, "UTC"), true)).toEqual(open);
    expect(policyFacts(open)).toEqual([]);
  });

  it("keep a text that is no number for the server to refuse", () => {
    expect(policyOf({ ...fieldsOf({}, "UTC"), longest: "soon" }, true).longest_trial_s).toBeNaN();
  });
});

describe("hours in words", () => {
  it("join neighbouring days", () => {
    expect(describeHours({ time_zone: "UTC", windows: [{ days: ["mon", "tue", "wed", "fri", "sun"], opens: "20:00", closes: "06:00" }] })).toBe("Mon to Wed, Fri, Sun 20:00 to 06:00 (UTC)");
    expect(describeHours(POLICY.hours!)).toBe("Sat, Sun 00:00 to 24:00 (UTC)");
  });
});

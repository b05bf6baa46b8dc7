import { afterEach, describe, expect, it } from "vitest";
import { returnPath } from "./returnPath";

afterEach(() => window.history.replaceState(null, "", "/"));

describe("returnPath", () => {
  it.each([
    ["/account", "/account"],
    ["/runs/run_1?tab=table", "/runs/run_1?tab=table"],
    ["//evil.test", null],
    ["/\\evil.test", null],
    ["https://evil.test", null],
    ["/a\tb", null],
    ["/sign-in?to=/", null],
  ])("of %j is %j", (to, expected) => {
    window.history.replaceState(null, "", `/sign-in?to=${encodeURIComponent(to)}`);
    expect(returnPath()).toBe(expected);
  });
});

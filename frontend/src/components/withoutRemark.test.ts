import { describe, expect, it } from "vitest";
import { withoutRemark } from "./withoutRemark";

describe("withoutRemark", () => {
  it.each([
    ["It is slower. Not to be trusted.", "Not to be trusted.", "It is slower."],
    ["It is slower. Not to be trusted. Two trials are excluded.", "Not to be trusted.", "It is slower. Two trials are excluded."],
    ["较慢。不可信。已排除两次试验。", "不可信。", "较慢。已排除两次试验。"],
    ["It is slower.", "Not to be trusted.", "It is slower."],
    ["It is slower.", null, "It is slower."],
  ])("of %s", (text, remark, left) => expect(withoutRemark(text, remark)).toBe(left));
});

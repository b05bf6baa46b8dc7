import { describe, expect, it } from "vitest";
import { completed, lastTerm, replaced, withTerm } from "./completion";

describe("completion of a search", () => {
  it("finds the term that is being typed", () => {
    expect(lastTerm("is:starred pa")).toEqual({ before: "is:starred ", part: "pa" });
    expect(lastTerm("")).toEqual({ before: "", part: "" });
    expect(lastTerm("is:starred ")).toEqual({ before: "is:starred ", part: "" });
    expect(lastTerm('is:starred author:"Ada L')).toEqual({ before: "is:starred ", part: 'author:"Ada L' });
    expect(lastTerm('"chatty database" ho')).toEqual({ before: '"chatty database" ', part: "ho" });
  });

  it("puts a term in its place, keeps the minus, and quotes values with spaces", () => {
    expect(completed("is:starred pa", ["path:"])).toEqual(["is:starred path:"]);
    expect(completed("-pub", ["path:published_loopback"])).toEqual(["-path:published_loopback "]);
    expect(completed("ada", ["author:ada lovelace"])).toEqual(['author:"ada lovelace" ']);
  });

  it("adds a term once, and replaces one that is wrong", () => {
    expect(withTerm("proxy", "tag:ci")).toBe("proxy tag:ci");
    expect(withTerm("tag:ci proxy", "tag:ci")).toBe("tag:ci proxy");
    expect(replaced("proxy verdict:slower is:starred", "verdict:slower", "verdict:worse")).toBe("proxy verdict:worse is:starred");
    expect(replaced("proxy x:y is:starred", "x:y", "")).toBe("proxy is:starred");
  });
});

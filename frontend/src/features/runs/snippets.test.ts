import { describe, expect, it } from "vitest";
import { frameOf, markdownOf } from "./snippets";

const URL = "https://plimsoll.example.org/x/abc";

describe("snippets", () => {
  it("escape a title for Markdown", () => {
    expect(markdownOf(URL, "a](evil) [b\\")).toBe(`[![a\\](evil) \\[b\\\\](${URL}/image.png)](${URL})`);
  });

  it("escape a title for HTML", () => {
    const parsed = new DOMParser().parseFromString(frameOf(URL, `"><img src=x onerror=alert(1)> & 'b'`), "text/html");
    expect(parsed.body.children).toHaveLength(1);
    expect(parsed.querySelector("iframe")?.title).toBe(`"><img src=x onerror=alert(1)> & 'b'`);
    expect(parsed.querySelector("iframe")?.getAttribute("src")).toBe(`${URL}/embed`);
  });
});

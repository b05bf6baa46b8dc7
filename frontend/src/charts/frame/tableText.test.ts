import { describe, expect, it } from "vitest";
import { asCsv, asMarkdown, readTables } from "./tableText";
import { moved, type ChartMark } from "./ChartMarks";

function tables(html: string): HTMLElement {
  const element = document.createElement("div");
  element.innerHTML = html;
  return element;
}

describe("a chart's table as text", () => {
  const rows = readTables(tables("<table><tr><th>Cell</th><th>a | b</th></tr><tr><td>x<br>y</td><td> 1,234.5 </td></tr></table><table><tr><td colspan=2>=SUM(A1)</td></tr></table>"));

  it("has the rows of all tables", () => {
    expect(rows).toEqual([["Cell", "a | b"], ["x, y", "1,234.5"], [], ["=SUM(A1)", ""]]);
  });

  it("is Markdown with a head for each table and no open column mark", () => {
    expect(asMarkdown("T", rows).split("\n")).toEqual(["**T**", "", "| Cell | a \\| b |", "| --- | --- |", "| x, y | 1,234.5 |", "", "| =SUM(A1) |  |", "| --- | --- |", ""]);
  });

  it("is CSV with plain numbers, quoted commas and no formula", () => {
    expect(asCsv([...rows, ["−1,000", 'say "n"']]).split("\r\n")).toEqual(["Cell,a | b", '"x, y",1234.5', "", "'=SUM(A1),", '-1000,"say ""n"""', ""]);
  });
});

describe("a text that begins like a formula", () => {
  it.each(["=1+1", "+1+1", "@x", "\t=1", "＝1+1", "＋1+1", "－1+1", "＠x", "﹦1+1", "\u3000＝1+1", "\u200b=1+1"])("%j is text in a spreadsheet", (text) => {
    expect(asCsv([[text]])).toBe(`'${text}\r\n`);
  });
});

describe("arrow keys", () => {
  const marks: ChartMark[] = ["a", "a", "b", "c"].map((group, index) => ({ key: String(index), group, text: "" }));

  it.each([
    [0, "ArrowRight", 1],
    [3, "ArrowRight", 3],
    [0, "ArrowLeft", 0],
    [0, "ArrowDown", 2],
    [3, "ArrowUp", 2],
    [2, "ArrowUp", 0],
    [1, "End", 3],
    [1, "a", null],
  ])("from %i by %s go to %s", (index, key, to) => {
    expect(moved(marks, index, key)).toBe(to);
  });
});

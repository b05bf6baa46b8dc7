import { afterEach, describe, expect, it } from "vitest";
import { chooseLanguage } from "@/messages/language";
import { comparisonImage, exportUrl, EXPORTS, groupExportUrl, groupImage, imageUrl, trialImage } from "./exports";

const nothing = () => Promise.resolve();

/** The addresses of everything that is read by people. */
const addresses = () => [
  exportUrl("run_1", "report"),
  exportUrl("run_1", "html"),
  imageUrl("run_1", "png", "dark", { kind: "dots" }),
  trialImage("trl_1", "rate")("svg", "light"),
  comparisonImage({ a: "run_1", b: "run_2" }, "tps")("png", "light"),
  groupImage("grp_1", "tps")("svg", "dark"),
];

describe("addresses of files", () => {
  afterEach(() => chooseLanguage("en", nothing));

  it("name the page's language, unless it is English", async () => {
    expect(addresses().filter((each) => each.includes("language"))).toEqual([]);
    await chooseLanguage("zh", nothing);
    expect(addresses().filter((each) => !/[?&]language=zh\b/.test(each))).toEqual([]);
    expect(imageUrl("run_1", "png", "dark", { kind: "dots" })).toContain("theme=dark");
  });

  it("of files for programs name no language", async () => {
    await chooseLanguage("zh", nothing);
    const files = EXPORTS.filter((each) => each !== "html" && each !== "report").map((each) => exportUrl("run_1", each));
    expect([...files, groupExportUrl("grp_1", "csv")].filter((each) => each.includes("language"))).toEqual([]);
  });
});

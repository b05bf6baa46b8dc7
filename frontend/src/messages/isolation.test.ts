import { expect, test } from "vitest";
import { messages } from "@/messages";

const t = messages("history");

test.each(["השוואה (docker-proxy)", "مقارنة", "a\u202Eb"])("a name that is written from right to left is isolated in a sentence: %s", (title) => {
  expect(t("historyOf", { title })).toBe(`History of \u2068${title}\u2069`);
});

test.each(["Two cells", "路径", "<b>&amp;</b>"])("another name is as it was written: %s", (title) => {
  expect(t("historyOf", { title })).toBe(`History of ${title}`);
});

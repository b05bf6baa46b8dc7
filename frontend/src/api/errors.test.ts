import { afterEach, expect, it } from "vitest";
import { ready } from "@/messages";
import { chooseLanguage } from "@/messages/language";
import { ApiError, describeError, problemOf, problemText, timedOut } from "./errors";

afterEach(() => chooseLanguage("en", ready));

const GONE = new ApiError(410, "gone", "No longer available", "the link expired on Nov 20");

it("gives the server's own words in English", () => {
  expect(describeError(GONE)).toEqual({ title: "No longer available", detail: "the link expired on Nov 20" });
  expect(describeError(new ApiError(404, "not_found", "Not found", "no experiment has this id"))).toEqual({ title: "Not found", detail: "no experiment has this id" });
});

it("gives the title by the status and the meaning of the code in another language, with the server's words", async () => {
  await chooseLanguage("zh", ready);
  expect(describeError(GONE)).toEqual({ title: "已不可用", detail: "链接已过期或已被撤销。请向提供者索取新链接。（the link expired on Nov 20）" });
  expect(problemText({ code: "out_of_bounds", detail: "1 to 64" })).toBe("数值超出允许的范围。（1 to 64）");
  expect(problemText({ code: "of_a_newer_release", detail: "some text" })).toBe("some text");
});

it("says that a request took too long", () => {
  expect(describeError(timedOut(30_000))).toEqual({ title: "No answer in time", detail: "Plimsoll did not answer within 30 s." });
});

it("names the status of an answer that is not a problem document, such as a proxy's page", async () => {
  const found = await problemOf(new Response("<html>Bad gateway</html>", { status: 502 }));
  expect(describeError(found)).toEqual({ title: "The server answered 502.", detail: "" });
});

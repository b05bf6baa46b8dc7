import { afterEach, expect, it } from "vitest";
import { ready } from "@/messages";
import { chooseLanguage } from "@/messages/language";
import { ApiError, describeError, problemOf, timedOut } from "./errors";

afterEach(() => chooseLanguage("en", ready));

const GONE = new ApiError(410, "gone", "No longer available", "the link expired on Nov 20");

it("gives the server's own words in English", () => {
  expect(describeError(GONE)).toEqual({ title: "No longer available", detail: "the link expired on Nov 20" });
  expect(describeError(new ApiError(404, "not_found", "Not found", "no experiment has this id"))).toEqual({ title: "Not found", detail: "no experiment has this id" });
});

const problem = (body: object, status = 422) => problemOf(new Response(JSON.stringify(body), { status }));

it("gives titles by the status and details by their messages in another language", async () => {
  await chooseLanguage("zh", ready);
  const fields = [{ pointer: "/rounds", code: "out_of_bounds", detail: "“5000”: must be a whole number from 1 to 1000", detail_message: { id: "reasons:valueRule", figures: { value: "“5000”", rule: { id: "reasons:mustRounds", figures: {} } } } }];
  const found = await problem({ title: "The request is invalid", code: "out_of_bounds", detail: "/rounds: …", detail_message: null, errors: fields });
  expect(describeError(found).title).toBe("请求无效");
  expect(found.errors).toEqual([{ pointer: "/rounds", code: "out_of_bounds", detail: "“5000”：必须是 1 到 1000 的整数" }]);
});

it("gives the meaning of the code where a detail has no message, or one of a newer release", async () => {
  await chooseLanguage("zh", ready);
  const gone = { title: "Gone", code: "gone", detail: "the link expired", detail_message: { id: "reasons:ofANewerRelease" } };
  expect(describeError(await problem(gone, 410))).toEqual({ title: "已不可用", detail: "链接已过期或已被撤销。请向提供者索取新链接。" });
  expect((await problem({ title: "x", code: "of_a_newer_release", detail: "some text" })).detail).toBe("some text");
});

it("gives the detail where the meaning of the code points to it, and for a code of a field that has no explanation", async () => {
  await chooseLanguage("zh", ready);
  const errors = [{ pointer: "/metrics/0", code: "unknown_metric", detail: "tps, rps" }, { pointer: "/at", code: "date_parsing", detail: "a new text" }];
  const found = await problem({ title: "The request is invalid", code: "name_taken", detail: "a team has this name", errors });
  expect(found.detail).toBe("该名称已被使用。请选择其他名称。");
  expect(found.errors.map((each) => each.detail)).toEqual(["没有这个名称的指标。详情：tps, rps", "该值不符合要求：a new text"]);
});

it("says that a request took too long", () => {
  expect(describeError(timedOut(30_000))).toEqual({ title: "No answer in time", detail: "Plimsoll did not answer within 30 s." });
});

it("names the status of an answer that is not a problem document, such as a proxy's page", async () => {
  const found = await problemOf(new Response("<html>Bad gateway</html>", { status: 502 }));
  expect(describeError(found)).toEqual({ title: "The server answered 502.", detail: "" });
});

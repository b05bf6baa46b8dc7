import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { RunVerdict } from "@/api/generated";
import { ready } from "@/messages";
import { chooseLanguage } from "@/messages/language";
import { VERDICT } from "@/testing/libraryRuns";
import { VerdictLine } from "./VerdictLine";

const NONE = { ...VERDICT.counts, worse: 0, equivalent: 0 };
const LOST: RunVerdict = {
  ...VERDICT,
  kind: "no_comparison",
  largest: null,
  counts: { ...NONE, failed: 3 },
  without_ratio: 3,
  reason: "the baseline: the host disturbed every trial (and 1 more reason)",
  reason_message: { id: "moreReasons", figures: { count: 1, reason: { id: "ofTheBaseline", figures: { reason: { id: "noTrialsContaminated", figures: {} } } } } },
};
const DISTURBED = { without_ratio: 2, reason: "the host disturbed every trial", reason_message: { id: "noTrialsContaminated", figures: {} } };

const line = (verdict: Partial<RunVerdict>) => render(<VerdictLine verdict={{ ...LOST, ...verdict }} />).container.querySelector("p")!.textContent;

afterEach(async () => {
  cleanup();
  await chooseLanguage("en", ready);
});

it.each<[string, Partial<RunVerdict>, string]>([
  ["the baseline is disturbed", {}, "Throughput: nothing could be compared: the baseline: the host disturbed every trial (and 1 more reason)"],
  ["no cell has figures", { kind: "failed" }, "Throughput: nothing could be compared: the baseline: the host disturbed every trial (and 1 more reason)"],
  ["it was kept without a reason", { reason: null }, "Throughput: nothing could be compared"],
  ["one of three has figures", { ...DISTURBED, kind: "equivalent", counts: { ...NONE, equivalent: 1, failed: 2 } }, "Throughput: the comparison is equivalent within 5\u00a0%; 2 of 3 could not be compared: the host disturbed every trial"],
  ["one of three has figures that show nothing", { ...DISTURBED, kind: "undecided", counts: { ...NONE, undecided: 1, failed: 2 } }, "Throughput: no difference is shown in the comparison; 2 of 3 could not be compared: the host disturbed every trial"],
  ["all have figures", { kind: "equivalent", without_ratio: 0, reason: null, counts: { ...NONE, equivalent: 3 } }, "Throughput: all 3 comparisons are equivalent within 5\u00a0%"],
  ["there is no baseline", { compared: 0, without_ratio: 0, reason: null }, "Throughput: measured without a comparison"],
  ["there is no baseline and no figure", { kind: "failed", compared: 0, without_ratio: 0, reason: null }, "No cell has figures"],
])("says what could be compared where %s", (_, verdict, text) => {
  expect(line(verdict)).toBe(text);
});

it("says in Chinese that nothing could be compared, and why", async () => {
  await chooseLanguage("zh", ready);
  expect(line({})).toBe("Throughput：没有任何一项可以比较：基线：每个试验都受到主机干扰（另有 1 个原因）");
  cleanup();
  expect(line({ ...DISTURBED, kind: "equivalent", counts: { ...NONE, equivalent: 1, failed: 2 } })).toMatch(/；3 项中有 2 项无法比较：每个试验都受到主机干扰$/);
});

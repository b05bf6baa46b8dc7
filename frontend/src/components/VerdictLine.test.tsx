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
  answered: false,
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
  ["the baseline is disturbed", {}, "Throughput: no answer, 3 of 3 comparisons lost: the baseline: the host disturbed every trial (and 1 more reason)"],
  ["no cell has figures", { kind: "failed" }, "Throughput: no answer, 3 of 3 comparisons lost: the baseline: the host disturbed every trial (and 1 more reason)"],
  ["it was kept without a reason", { reason: null }, "Throughput: no answer, 3 of 3 comparisons lost"],
  ["one of three has figures", { ...DISTURBED, kind: "equivalent", counts: { ...NONE, equivalent: 1, failed: 2 } }, "Throughput: no answer, 2 of 3 comparisons lost: the host disturbed every trial"],
  ["one of three has figures that show nothing", { ...DISTURBED, kind: "undecided", counts: { ...NONE, undecided: 1, failed: 2 } }, "Throughput: no answer, 2 of 3 comparisons lost: the host disturbed every trial"],
  ["all have figures", { kind: "equivalent", answered: true, without_ratio: 0, reason: null, counts: { ...NONE, equivalent: 3 } }, "Throughput: all 3 comparisons are equal within 5\u00a0%"],
  ["there is no baseline", { compared: 0, without_ratio: 0, reason: null }, "Throughput: no answer, nothing was compared"],
  ["there is no baseline and no figure", { kind: "failed", compared: 0, without_ratio: 0, reason: null }, "Throughput: no answer, no cell has figures"],
  ["too few rounds are left of one", { kind: "undecided", without_ratio: 0, lost: 1, reason: null, counts: { ...NONE, undecided: 3 } }, "Throughput: no answer, 1 of 3 comparisons lost"],
  ["all rounds were planned too few", { kind: "undecided", without_ratio: 0, reason: null, cells: VERDICT.cells.map((cell) => ({ ...cell, verdict: "not_enough_rounds" as const })) }, "Throughput: no answer, too few rounds"],
  ["a difference may remain", { kind: "undecided", without_ratio: 0, reason: null, cells: VERDICT.cells.map((cell) => ({ ...cell, verdict: "no_difference_shown" as const })) }, "Throughput: no answer, more rounds are needed"],
])("says what could be compared where %s", (_, verdict, text) => {
  expect(line(verdict)).toBe(text);
});

it("says in Chinese that nothing could be compared, and why", async () => {
  await chooseLanguage("zh", ready);
  expect(line({})).toBe("Throughput：无法判断，3 项比较中丢失了 3 项：基线：每个试验都受到主机干扰（另有 1 个原因）");
  cleanup();
  expect(line({ ...DISTURBED, kind: "equivalent", counts: { ...NONE, equivalent: 1, failed: 2 } })).toMatch(/无法判断，3 项比较中丢失了 2 项：每个试验都受到主机干扰$/);
});

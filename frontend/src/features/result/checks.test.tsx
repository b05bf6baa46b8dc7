import { cleanup, render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, describe, expect, it } from "vitest";
import type { ChartModel } from "@/api/generated";
import { ready } from "@/messages";
import { chooseLanguage } from "@/messages/language";
import { chartModel } from "@/testing/chartModel";
import { wholeModel } from "@/testing/chartParts";
import { AnswerHead } from "./AnswerHead";
import { ResultView } from "./ResultView";

afterEach(async () => {
  cleanup();
  await chooseLanguage("en", ready);
});

const TRUST = "A/A is suspect: the baseline differs from its own duplicate, so that differences in this run may come from the measurement.";

const page = (model: ChartModel) => (
  <>
    <AnswerHead model={model} />
    <ResultView model={model} />
  </>
);

function show(model: ChartModel) {
  return render(<MemoryRouter initialEntries={["/?tab=statistics"]}>{page(model)}</MemoryRouter>);
}

const card = (name: string) => within(screen.getByRole("heading", { name }).closest("section")!);

describe("the A/A check", () => {
  it("shows each outcome in words, with the interval of the duplicate", () => {
    const model = chartModel("measured");
    const words = { cannot_tell: "cannot tell", nothing_shown: "nothing shown", within_margin: "within the margin", suspect: "suspect" } as const;
    const [check] = model.duplicates;
    const outcomes = Object.keys(words) as (keyof typeof words)[];
    for (const outcome of outcomes) {
      cleanup();
      show({ ...model, duplicates: [{ ...check!, outcome, suspect: outcome === "suspect" }] });
      expect(card("A/A check").getByText(words[outcome])).toBeTruthy();
      expect(card("A/A check").getByText(/95 % interval of this duplicate alone 0\.985 – 1\.011/)).toBeTruthy();
    }
  });

  it("marks the answer, and has its remark once, among the statistics", () => {
    const model = wholeModel();
    const duplicates = model.duplicates.map((check) => ({ ...check, suspect: true }));
    show({ ...model, duplicates, trust: TRUST, headline: `Proxy on is 40 % slower. ${TRUST}` });
    const verdict = within(screen.getByRole("region", { name: "Verdict" }));
    expect(verdict.getByText("Proxy on is 40 % slower.")).toBeTruthy();
    expect(verdict.getByText("the run is suspect")).toBeTruthy();
    expect(screen.getAllByText(TRUST)).toHaveLength(1);
    expect(card("Comparisons by verdict").getByText(TRUST)).toBeTruthy();
  });

  it("adds its remark once in Chinese too, where other remarks follow it", async () => {
    await chooseLanguage("zh", ready);
    const trust = { id: "trustBlindOne", figures: {} };
    const first = { id: "joined", figures: { first: { id: "headlineNoResult", figures: { done: 3, planned: 10 } }, second: trust } };
    const headline_message = { id: "joined", figures: { first, second: { id: "excludedByHand", figures: { count: 2, of: 10 } } } };
    show({ ...chartModel("measured"), trust: TRUST, trust_message: trust, headline: `No result. ${TRUST} More.`, headline_message });
    const verdict = within(screen.getByRole("region", { name: "结论" }));
    expect(screen.getAllByText(/A\/A 检查无法判断/)).toHaveLength(1);
    expect(verdict.getByText(/^尚无结果：10 个试验中已完成 3 个。./).textContent).not.toContain("A/A");
  });

  it("adds no remark where there is none", () => {
    show(chartModel("measured"));
    expect(screen.queryByText(/A\/A is suspect|cannot tell whether/)).toBeNull();
  });
});

describe("a claim of the published study", () => {
  type Outcome = "reproduced" | "not_reproduced" | "undecided";
  const claimed = (outcome: "reproduced" | "contradicted" | "undecided", direction?: Outcome | null, size?: Outcome | null) => {
    const model = chartModel("measured");
    show({ ...model, study: { ...model.study!, claims: [{ text: "about 40 % slower", outcome, direction, size, detail: "0.595 (95 % CI 0.585 to 0.607)" }] } });
    return card("Comparison with the published study");
  };
  const SIDE = "the figures lie on the side that the study reports";
  const TOLERANCE = "than the study reports, beyond its tolerance";

  it("shows direction and size on separate lines", () => {
    const shown = claimed("contradicted", "reproduced", "not_reproduced");
    expect(shown.getByText("reproduced in part")).toBeTruthy();
    expect(shown.getByText(`Direction reproduced: ${SIDE}`)).toBeTruthy();
    expect(shown.getByText(`Size not reproduced: larger or smaller ${TOLERANCE}`)).toBeTruthy();
    expect(shown.getByText("0.595 (95 % CI 0.585 to 0.607)")).toBeTruthy();
  });

  it("names the part that the study does not report", () => {
    const shown = claimed("undecided", "undecided", null);
    expect(shown.getByText("undecided")).toBeTruthy();
    expect(shown.getByText("Direction undecided: this run does not show on which side the figures lie")).toBeTruthy();
    expect(shown.getByText("Size: not reported by the study")).toBeTruthy();
  });

  it("has no such line where it was not tested, or in an older run", () => {
    const shown = claimed("undecided");
    expect(shown.getByText("undecided")).toBeTruthy();
    expect(shown.queryByText(/^(Direction|Size)/)).toBeNull();
  });
});

describe("the drift check", () => {
  it.each([[-0.405, "undecided"], [-0.01, "none shown"]])("of a change of %d that is not significant says %s", (change, word) => {
    const model = wholeModel();
    show({ ...model, drifts: model.drifts.slice(0, 1).map((check) => ({ ...check, change, significant: false })) });
    expect(card("Drift").getByText(word)).toBeTruthy();
  });
});

import { act, cleanup, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ChartModel } from "@/api/generated";
import { ready } from "@/messages";
import { localized } from "@/messages/labels";
import { chooseLanguage } from "@/messages/language";
import { chartModel } from "@/testing/chartModel";
import { sweepModel, wholeModel } from "@/testing/chartParts";
import { latinTexts, withoutEnglish } from "@/testing/latin";
import { Still } from "@/testing/render";
import { AnswerHead } from "./AnswerHead";
import { ResultView } from "./ResultView";

const LINKS = { cell: (id: string) => `/runs/r/cells/${id}`, round: (id: string, round: number) => `/runs/r/cells/${id}/rounds/${round}`, host: "/hosts/h", open: () => undefined, image: () => () => "/svg" };
/** What stays English, and why. */
const ALLOWED: readonly RegExp[] = [];

beforeEach(() => chooseLanguage("zh", ready));
afterEach(async () => {
  cleanup();
  await chooseLanguage("en", ready);
});

it.each<[string, ChartModel]>([
  ["all states", chartModel("all")],
  ["every part", wholeModel()],
  ["a sweep", sweepModel()],
])("shows a result with %s without English", (_, model) => {
  render(
    <Still>
      <AnswerHead model={localized(withoutEnglish(model))} />
      <ResultView model={localized(withoutEnglish(model))} links={LINKS} />
    </Still>,
  );
  act(() => void window.dispatchEvent(new Event("beforeprint")));
  document.querySelectorAll("details").forEach((details) => (details.open = true));
  expect(latinTexts(document.body).filter((text) => !ALLOWED.some((allowed) => allowed.test(text)))).toEqual([]);
});

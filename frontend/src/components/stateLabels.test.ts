import { afterEach, expect, it } from "vitest";
import { ready } from "@/messages";
import { chooseLanguage } from "@/messages/language";
import { CELL_STATES, VERDICTS, claimParts, withoutFigure } from "./stateLabels";

afterEach(() => chooseLanguage("en", ready));

const CLAIM = { direction: "reproduced", size: null } as Parameters<typeof claimParts>[0];

it("gives each word in the language at the time of reading", async () => {
  expect([CELL_STATES.measured.word, VERDICTS.equivalent.word]).toEqual(["measured", "equal"]);
  await chooseLanguage("zh", ready);
  expect([CELL_STATES.measured.word, VERDICTS.equivalent.word]).toEqual(["已测量", "相同"]);
  expect(withoutFigure({ state: "measured", levels: { tool: "pgbench" } } as never, "measured").word).toBe("pgbench 未报告");
  expect(claimParts(CLAIM).map(({ word }) => word)).toEqual(["方向已重现：数据位于该研究所报告的一侧", "大小：该研究未报告"]);
});

import type { HomeRun } from "@/api/generated";
import { State } from "@/components/State";
import {
  CELL_STATES,
  IMPORTED,
  RUN_STATES,
  THRESHOLD_OUTCOMES,
  type StateLabel,
} from "@/components/stateLabels";
import { messages } from "@/messages";

const t = messages("home");

/** Signs of what qualifies an answer; the words are their titles. */
export function Signs({ run }: { run: HomeRun }) {
  return signsOf(run).map((label) => <State key={label.word} label={label} glyphOnly />);
}

function signsOf({ state, origin, exclusions, verdict }: HomeRun): StateLabel[] {
  const reasons = exclusions.map(({ reason, trials }) => t("excluded", { count: trials, reason }));
  return [
    ...(state === "done" ? [] : [RUN_STATES[state]]),
    ...(origin === "imported" ? [IMPORTED] : []),
    ...(reasons.length > 0 ? [{ ...CELL_STATES.excluded, word: reasons.join("; ") }] : []),
    ...(verdict?.threshold === "fail" ? [failed()] : []),
    ...(verdict?.suspect ? [{ glyph: "!", word: t("suspect"), tone: "warn" as const }] : []),
  ];
}

function failed(): StateLabel {
  return { ...THRESHOLD_OUTCOMES.fail, word: t("thresholdFailed") };
}

/** The terms of the help page. */
import type { CellState } from "@/api/types";
import type { Outcome } from "@/components/stateLabels";
import { messages } from "@/messages";

const t = messages("help");

export const terms = (): readonly (readonly [string, string])[] => [
  [t("termCell"), t("termCellText")],
  ["n", t("termNText")],
  [t("termMedian"), t("termMedianText")],
  [t("termRatio"), t("termRatioText")],
  [t("termP"), t("termPText")],
  [t("termCi"), t("termCiText")],
  [t("termTransaction"), t("termTransactionText")],
  [t("termMargin"), t("termMarginText")],
  [t("termAa"), t("termAaText")],
  [t("termPublished"), t("termPublishedText")],
];

export const parts = (): readonly (readonly [string, string])[] => [
  [t("partBest"), t("partBestText")],
  [t("partHop"), t("partHopText")],
  [t("partKnee"), t("partKneeText")],
  [t("partOpen"), t("partOpenText")],
  [t("partThresholds"), t("partThresholdsText")],
  [t("partInterim"), t("partInterimText")],
  [t("partDrift"), t("partDriftText")],
  [t("partUnsteady"), t("partUnsteadyText")],
  [t("partCompare"), t("partCompareText")],
  [t("partImported"), t("partImportedText")],
  [t("partResolution"), t("partResolutionText")],
];

export const verdictTexts = (): readonly (readonly [Outcome, string])[] => [
  ["better", t("verdictBetter")],
  ["worse", t("verdictWorse")],
  ["equal", t("verdictEqual")],
  ["no_answer", t("verdictNoAnswer")],
];

export const roleTexts = (): readonly (readonly [string, string])[] => [
  ["client", t("roleClient")],
  ["server", t("roleServer")],
  ["proxy", t("roleProxy")],
  ["kernel", t("roleKernel")],
  ["other", t("roleOther")],
  ["unattributed", t("roleUnattributed")],
  ["steal", t("roleSteal")],
  ["idle", t("roleIdle")],
];

export const stateTexts = (): readonly (readonly [CellState, string])[] => [
  ["measured", t("stateMeasured")],
  ["partial", t("statePartial")],
  ["waiting", t("stateWaiting")],
  ["failed", t("stateFailed")],
  ["contradicted", t("stateContradicted")],
  ["not_proven", t("stateNotProven")],
  ["invalid", t("stateInvalid")],
  ["contaminated", t("stateContaminated")],
  ["excluded", t("stateExcluded")],
  ["infeasible", t("stateInfeasible")],
  ["cancelled", t("stateCancelled")],
];

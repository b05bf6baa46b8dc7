import type { ChartModel } from "@/api/generated";
import { factName } from "@/components/factName";
import { messages } from "@/messages";
import { sweptFactor, type TabId } from "./tabs";

const t = messages("answer");

/** The visible name of a tab. */
export function tabTitle(tab: TabId, model: ChartModel): string {
  const titles = {
    overview: t("tabOverview"),
    sweep: t("tabSweep", { factor: factName(sweptFactor(model) ?? model.knees[0]?.factor ?? "") }),
    latency: t("tabLatency"),
    hops: t("tabHops"),
    trials: t("tabTrials"),
    statistics: t("tabStatistics"),
    environment: t("tabEnvironment"),
  };
  return titles[tab];
}

import { messages } from "@/messages";
import type { SectionId } from "./sections";

const t = messages("result");

export function sectionTitle(section: SectionId): string {
  const titles = {
    verdict: t("sectionVerdict"),
    findings: t("sectionFindings"),
    cells: t("sectionCells"),
    table: t("sectionTable"),
    panels: t("sectionPanels"),
    series: t("sectionSeries"),
    hops: t("sectionHops"),
    pivot: t("sectionPivot"),
    checks: t("sectionChecks"),
    environment: t("sectionEnvironment"),
  };
  return titles[section];
}

/** The sections of a result in reading order. Pure. */
import type { ChartModel } from "@/api/generated";
import { hasCost } from "@/charts/hopCostLayout";
import { variedFactors } from "@/charts/pivot/pivotChoice";

const SECTIONS = ["verdict", "findings", "cells", "table", "panels", "series", "hops", "pivot", "checks", "environment"] as const;
export type SectionId = (typeof SECTIONS)[number];

/** Open at first on a narrow screen; the others are folded there. */
const FIRST: readonly SectionId[] = ["verdict", "findings", "cells"];
const PREFIX = "result-";

/** Returns the id of a section's element, which is also its fragment in the address. */
export function elementId(section: SectionId): string {
  return PREFIX + section;
}

/** Returns the section of a fragment such as "#result-hops", or null. */
export function sectionAt(fragment: string): SectionId | null {
  return SECTIONS.find((section) => fragment === `#${elementId(section)}`) ?? null;
}

/** Requested when it is opened, for one cell of many. */
const FOLDED: readonly SectionId[] = ["series"];

export function isOpenAtFirst(section: SectionId, narrow: boolean): boolean {
  return FIRST.includes(section) || (!narrow && !FOLDED.includes(section));
}

/** Whether paper has a section that is folded on the screen; what is not requested yet cannot be printed. */
export function isPrinted(section: SectionId): boolean {
  return !FOLDED.includes(section);
}

/** Returns the sections that have content; `panels` and `series` say whether they can be requested. */
export function sectionsOf(model: ChartModel, panels: boolean, series: boolean): SectionId[] {
  const has: Record<SectionId, boolean> = {
    verdict: true,
    findings: model.gate !== null || (model.excluded_trials ?? []).length > 0 || (model.notices ?? []).length > 0 || model.cells.some(({ notices }) => (notices ?? []).length > 0),
    cells: model.axes.length > 0,
    table: model.axes.length > 0,
    panels: model.knees.length > 0 || (panels && model.axes.length > 0),
    series: series && model.axes.length > 0,
    hops: model.ladders.some(hasCost),
    pivot: model.axes.length > 0 && variedFactors(model).length > 1,
    checks: [model.study, model.interim_analyses, model.quality, model.servers].some((part) => part != null) || model.duplicates.length + model.drifts.length > 0,
    environment: true,
  };
  return SECTIONS.filter((section) => has[section]);
}

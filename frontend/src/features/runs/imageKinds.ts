/** The charts of a result that are available as images. Pure. */
import type { ChartModel } from "@/api/generated";
import type { ImageChoice } from "@/api/exports";
import { variedFactors } from "@/charts/pivot/pivotChoice";
import { messages } from "@/messages";

const t = messages("runs");

interface ImageKind {
  value: ImageChoice["kind"];
  label: string;
  title: string;
}

/** Returns the charts that this result has: imported runs have no CPU, and few runs have path ladders or knees. */
export function imageKinds(model: Pick<ChartModel, "cells" | "ladders" | "knees">): ImageKind[] {
  const hasPivot = variedFactors(model).length > 1;
  const kinds: (ImageKind & { available: boolean })[] = [
    { value: "dots", label: t("kindDots"), title: t("kindDotsAbout"), available: true },
    { value: "roles", label: t("kindRoles"), title: t("kindRolesAbout"), available: model.cells.some(({ cpu }) => cpu.length > 0) },
    { value: "ladder", label: t("kindLadder"), title: t("kindLadderAbout"), available: model.ladders.length > 0 },
    { value: "knee", label: t("kindKnee"), title: t("kindKneeAbout"), available: model.knees.length > 0 },
    { value: "heatmap", label: t("kindHeatmap"), title: t("kindHeatmapAbout"), available: hasPivot },
    { value: "facets", label: t("kindFacets"), title: t("kindFacetsAbout"), available: hasPivot },
  ];
  return kinds.flatMap(({ available, ...kind }) => (available ? kind : []));
}

/** The charts of a result that are available as images. Pure. */
import type { ChartModel } from "@/api/generated";
import type { ImageChoice } from "@/api/exports";
import { variedFactors } from "@/charts/pivot/pivotChoice";

interface ImageKind {
  value: ImageChoice["kind"];
  label: string;
  title: string;
}

/** Returns the charts that this result has: imported runs have no CPU, and few runs have path ladders or knees. */
export function imageKinds(model: Pick<ChartModel, "cells" | "ladders" | "knees">): ImageKind[] {
  const hasPivot = variedFactors(model).length > 1;
  const kinds: (ImageKind & { available: boolean })[] = [
    { value: "dots", label: "Dots", title: "Every trial, with medians and intervals", available: true },
    { value: "roles", label: "CPU by role", title: "Cores of the host, medians over the trials", available: model.cells.some(({ cpu }) => cpu.length > 0) },
    { value: "ladder", label: "Cost per hop", title: "CPU and throughput against the previous path", available: model.ladders.length > 0 },
    { value: "knee", label: "Knees", title: "The load at which each sweep reaches its limit", available: model.knees.length > 0 },
    { value: "heatmap", label: "Heat map", title: "The pivot as a table, coloured by the ratio to the baseline", available: hasPivot },
    { value: "facets", label: "Small charts", title: "The pivot as a small chart for each panel and column", available: hasPivot },
  ];
  return kinds.flatMap(({ available, ...kind }) => (available ? kind : []));
}

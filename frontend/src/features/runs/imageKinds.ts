/** The charts of a result that can be had as an image. Pure. */
import type { ChartModel } from "@/api/generated";
import type { ImageChoice } from "@/api/exports";
import { variedFactors } from "@/charts/pivot/pivotChoice";

interface ImageKind {
  value: ImageChoice["kind"];
  label: string;
  title: string;
}

/** Only those that this result has: an imported run has no CPU, and few runs have a ladder or a knee. */
export function imageKinds(model: Pick<ChartModel, "cells" | "ladders" | "knees">): ImageKind[] {
  const turns = variedFactors(model).length > 1;
  const kinds: (ImageKind & { there: boolean })[] = [
    { value: "dots", label: "Dots", title: "Every trial, with medians and intervals", there: true },
    { value: "roles", label: "CPU by role", title: "Cores of the host, medians over the trials", there: model.cells.some(({ cpu }) => cpu.length > 0) },
    { value: "ladder", label: "Cost per hop", title: "CPU and throughput against the path before", there: model.ladders.length > 0 },
    { value: "knee", label: "Knees", title: "The load at which each sweep reaches its limit", there: model.knees.length > 0 },
    { value: "heatmap", label: "Heat map", title: "The pivot as a table, coloured by the ratio to the baseline", there: turns },
    { value: "facets", label: "Small charts", title: "The pivot as a small chart for each panel and column", there: turns },
  ];
  return kinds.flatMap(({ there, ...kind }) => (there ? kind : []));
}

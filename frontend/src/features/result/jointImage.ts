/** The picture of throughput and CPU in shared rows. Pure. */
import type { ImageChoice } from "@/api/exports";
import type { ChartCell, ChartModel } from "@/api/generated";
import { answerFirst, drawnFirst, jointCells } from "@/charts/joint/jointLayout";
import { answerOf } from "./answer";

type Rows = Pick<ImageChoice, "cells">;

/** Returns the rows that the page shows at first of these cells; none are named where all are shown. */
export function jointRows(model: ChartModel, matching: readonly ChartCell[] = model.cells): Rows {
  const all = jointCells(model);
  const kept = new Set(matching.map(({ id }) => id));
  const left = all.filter(({ id }) => kept.has(id));
  const most = drawnFirst(all.length);
  if (left.length === 0 || (left.length === all.length && all.length <= most)) return {};
  const metric = model.axes[0]?.metric ?? "";
  const rows = answerFirst(left, answerOf(model).cell_id ?? null, metric).slice(0, drawnFirst(left.length));
  return { cells: rows.map(({ id }) => id).join() };
}

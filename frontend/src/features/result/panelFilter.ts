/** Limits panels to the cells that match the filter of the result. Pure. */
import type { ResultPanels } from "@/api/generated";

/** Returns the panels with the figures of these cells alone; a series, a panel or a sweep without any is left out. Axes and frontier stay those of all cells. */
export function shownPanels(panels: ResultPanels, shown: ReadonlySet<string>): ResultPanels {
  const has = (cellId: string | null | undefined) => cellId != null && shown.has(cellId);
  return {
    ...panels,
    sweeps: panels.sweeps.flatMap((sweep) => {
      const series = sweep.series.flatMap((each) => {
        if (!each.cells.some(has)) return [];
        const figures = Object.fromEntries(Object.entries(each.figures).map(([metric, own]) => [metric, own.map((figure, level) => (has(each.cells[level]) ? figure : null))]));
        return [{ ...each, figures }];
      });
      return series.length > 0 ? [{ ...sweep, series }] : [];
    }),
    trade_offs: panels.trade_offs.flatMap((panel) => {
      const points = panel.points.filter(({ cell_id: id }) => has(id));
      return points.length > 0 ? [{ ...panel, points, frontier: panel.frontier.filter(has) }] : [];
    }),
    latencies: panels.latencies.flatMap((panel) => {
      const rows = panel.rows.filter(({ cell_id: id }) => has(id));
      return rows.length > 0 ? [{ ...panel, rows }] : [];
    }),
  };
}

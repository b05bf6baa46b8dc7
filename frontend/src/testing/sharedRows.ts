/** Results for tests whose comparisons are those of each path: userland-proxy on against off. */
import type { ChartCell, ChartModel } from "@/api/generated";
import { chartModel } from "@/testing/chartModel";

/** Returns the measured result with each path's "on" compared with its "off". */
export function onAgainstOff(): ChartModel {
  const model = chartModel("measured");
  const off = new Map(model.cells.filter(({ levels }) => levels["userland_proxy"] === false).map((cell) => [cell.row, cell.id]));
  const cells = model.cells.map((cell): ChartCell => {
    const baseline = off.get(cell.row);
    if (cell.levels["userland_proxy"] !== true || baseline === undefined) return { ...cell, comparisons: {}, is_baseline: !cell.is_duplicate };
    const known = model.cells.find(({ id }) => id === "c5")!.comparisons;
    const comparisons = Object.fromEntries(Object.entries(known).map(([metric, each]) => [metric, { ...each, baseline_id: baseline }]));
    return { ...cell, comparisons, is_baseline: false };
  });
  return { ...model, cells };
}

/** Returns a result of `paths` × on and off × `clients`, in plan order. */
export function sweepOf(paths: number, clients: readonly number[]): ChartModel {
  const model = onAgainstOff();
  const [on, off] = [model.cells.find(({ id }) => id === "c5")!, model.cells.find(({ id }) => id === "c6")!];
  const cells = Array.from({ length: paths }, (_, path) =>
    [on, off].flatMap((cell) =>
      clients.map((count): ChartCell => {
        const id = `${cell.id}-${path}-${count}`;
        const comparisons = Object.fromEntries(
          Object.entries(cell.comparisons).map(([metric, each]) => [metric, { ...each, baseline_id: `c6-${path}-${count}` }]),
        );
        const level = cell.levels["userland_proxy"] === true ? "on" : "off";
        const name = `Path ${path + 1}`;
        return {
          ...cell,
          id,
          comparisons,
          label: `${name}, ${count} clients, userland-proxy ${level}`,
          row: `${name}, ${count} clients`,
          row_group: name,
          levels: { ...cell.levels, path: `path_${path + 1}`, clients: count },
        };
      }),
    ),
  ).flat();
  return { ...model, cells };
}

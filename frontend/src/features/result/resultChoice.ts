/** The filter, metrics and order of a result, kept in the address for Back and reload. Pure. */
import type { Axis, ChartModel } from "@/api/generated";
import type { CellFilter } from "./filter";
import type { Order } from "./tableRows";

export interface ResultChoice {
  filter: CellFilter;
  /** The metrics of the second chart and of the table; null is the default one. */
  second: string | null;
  metric: string | null;
  order: Order;
  /** The cell whose trials are shown over time; null is the first one with trials. */
  series: string | null;
}

/** The default metric of the second chart. */
export const SECOND = "cpu_us_per_txn";
const ORDERS: readonly Order[] = ["plan", "effect", "noise"];

export function choiceOf(query: URLSearchParams): ResultChoice {
  return {
    filter: { text: query.get("cells") ?? "", clearOnly: query.get("clear") === "1" },
    second: query.get("second"),
    metric: query.get("metric"),
    order: ORDERS.find((order) => order === query.get("order")) ?? "plan",
    series: query.get("series"),
  };
}

/** Returns the query parameters of a choice; null for defaults. */
export function addressOf(model: Pick<ChartModel, "axes">, { filter, second, metric, order, series }: ResultChoice): Record<string, string | null> {
  const nonDefault = (chosen: string | null, standard: Axis | undefined) => (chosen === standard?.metric ? null : chosen);
  return {
    cells: filter.text.trim() || null,
    clear: filter.clearOnly ? "1" : null,
    second: nonDefault(second, secondAxis(model, null)),
    metric: nonDefault(metric, model.axes[0]),
    order: order === "plan" ? null : order,
    series,
  };
}

/** Returns the axis of the second chart; none where the run has one metric. */
export function secondAxis({ axes: [, ...others] }: Pick<ChartModel, "axes">, chosen: string | null): Axis | undefined {
  return others.find(({ metric }) => metric === (chosen ?? SECOND)) ?? others.find(({ metric }) => metric === SECOND) ?? others[0];
}

/** Returns the axis of the table. */
export function tableAxis({ axes }: Pick<ChartModel, "axes">, chosen: string | null): Axis | undefined {
  return axes.find(({ metric }) => metric === chosen) ?? axes[0];
}

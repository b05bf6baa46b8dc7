/** What of a result is shown, kept in the address so that Back and a reload find it again. Pure. */
import type { Axis, ChartModel } from "@/api/generated";
import type { CellFilter } from "./filter";
import type { Order } from "./tableRows";

export interface ResultChoice {
  filter: CellFilter;
  /** The metric of the second chart and of the table; null is the usual one. */
  second: string | null;
  metric: string | null;
  order: Order;
}

/** The axis beside CPU by role: the cost of a transaction, where the run has it. */
export const SECOND = "cpu_us_per_txn";
const ORDERS: readonly Order[] = ["plan", "effect", "noise"];

export function choiceOf(query: URLSearchParams): ResultChoice {
  return {
    filter: { text: query.get("cells") ?? "", clearOnly: query.get("clear") === "1" },
    second: query.get("second"),
    metric: query.get("metric"),
    order: ORDERS.find((order) => order === query.get("order")) ?? "plan",
  };
}

/** The names and values of the address that keep a choice: only what differs from the usual. */
export function addressOf(model: Pick<ChartModel, "axes">, { filter, second, metric, order }: ResultChoice): Record<string, string | null> {
  const unusual = (chosen: string | null, usual: Axis | undefined) => (chosen === usual?.metric ? null : chosen);
  return {
    cells: filter.text.trim() || null,
    clear: filter.clearOnly ? "1" : null,
    second: unusual(second, secondAxis(model, null)),
    metric: unusual(metric, model.axes[0]),
    order: order === "plan" ? null : order,
  };
}

/** The axis of the second chart; none where the run has one metric alone. */
export function secondAxis({ axes: [, ...others] }: Pick<ChartModel, "axes">, chosen: string | null): Axis | undefined {
  return others.find(({ metric }) => metric === (chosen ?? SECOND)) ?? others.find(({ metric }) => metric === SECOND) ?? others[0];
}

/** The axis of the table. */
export function tableAxis({ axes }: Pick<ChartModel, "axes">, chosen: string | null): Axis | undefined {
  return axes.find(({ metric }) => metric === chosen) ?? axes[0];
}

/** Lines of the chart of rate against cost, in the values of its axes. Pure. */
import type { TradeOff, TradeOffPoint } from "@/api/generated";

interface PlotLine {
  x: readonly [number, number];
  y: readonly [number, number];
}

/** Returns the intervals of both figures as lines, those of dominated cells apart. */
export function crosses(points: readonly TradeOffPoint[]): { frontier: PlotLine[]; dominated: PlotLine[] } {
  const linesOf = ({ cost, rate }: TradeOffPoint): PlotLine[] => [
    ...(cost.interval ? [{ x: [cost.interval.low, cost.interval.high], y: [rate.median, rate.median] } as const] : []),
    ...(rate.interval ? [{ x: [cost.median, cost.median], y: [rate.interval.low, rate.interval.high] } as const] : []),
  ];
  return { frontier: points.filter((point) => !point.dominated).flatMap(linesOf), dominated: points.filter((point) => point.dominated).flatMap(linesOf) };
}

/** Returns the steps of the frontier: at each cost the highest rate that any cell reaches with at most that cost. */
export function stairs({ frontier, points, cost_axis: cost }: TradeOff): PlotLine[] {
  const found = frontier.flatMap((id) => points.find(({ cell_id }) => cell_id === id) ?? []);
  return found.flatMap((point, index): PlotLine[] => {
    const [x, y] = [point.cost.median, point.rate.median];
    const next = found[index + 1];
    const end = next ? next.cost.median : cost.domain[1];
    const across: PlotLine = { x: [x, end], y: [y, y] };
    return next ? [across, { x: [end, end], y: [y, next.rate.median] }] : [across];
  });
}

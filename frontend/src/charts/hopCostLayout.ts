/** The cost per hop as rows: CPU and throughput of each path against the nearest path with no more hops. Pure. */
import type { ChartModel, Ladder, HopCost, LadderStep } from "@/api/generated";
import { formatSigned, formatSignedInterval } from "@/components/format";
import { hopName } from "@/components/hopName";
import { intervalName } from "@/components/intervals";
import { messages } from "@/messages";
import { errorOf, extent, niceDomain, type IntervalMark, type IntervalRow } from "./intervalLayout";

const t = messages("charts");

const ROW = 42;

export type SideKey = "cpu" | "throughput";

export interface CostSide {
  key: SideKey;
  title: string;
  unit: string;
  domain: [number, number];
  marks: IntervalMark[];
}

export interface HopCostLayout {
  height: number;
  rows: IntervalRow[];
  sides: CostSide[];
}

const TITLES: Record<SideKey, (operation: string) => string> = {
  cpu: (operation) => t("hopCpu", { operation }),
  throughput: () => t("hopThroughput"),
};
/** The colour of each side, which is a separate chart. */
const COLORS: Record<SideKey, number> = { cpu: 0, throughput: 1 };

export function labelOf(model: ChartModel, id: string): string {
  return model.cells.find((cell) => cell.id === id)?.label ?? id;
}

/** The steps of a ladder. */
export function stepsOf(ladder: Ladder): LadderStep[] {
  return ladder.rungs;
}

/** Whether the cost of any step was measured. */
export function hasCost(ladder: Ladder): boolean {
  return stepsOf(ladder).some(({ cpu, throughput }) => cpu !== null || throughput !== null);
}

/** "+ docker-proxy  − dnat". */
export function formatHops({ added, removed }: LadderStep): string {
  return [...added.map((hop) => `+ ${hopName(hop)}`), ...removed.map((hop) => `− ${hopName(hop)}`)].join("  ");
}

/** Returns the number of decimals that the width of the interval justifies. */
export function costDecimals(cost: HopCost): number {
  const size = cost.interval ? (cost.interval.high - cost.interval.low) / 2 : Math.abs(cost.estimate);
  return size >= 10 ? 0 : size >= 1 ? 1 : 2;
}

export function formatCost(cost: HopCost): string {
  return `${formatSigned(cost.estimate, costDecimals(cost))} ${cost.unit}`;
}

export function formatCostInterval(cost: HopCost): string {
  return formatSignedInterval(cost.interval, costDecimals(cost));
}

/** Returns the name of the intervals of one side: simultaneous over the steps and the interim analyses. */
export function intervalOf(ladder: Ladder, key: SideKey, { interim_analyses: interim }: Pick<ChartModel, "interim_analyses">): string {
  return intervalName(Math.max(1, ...stepsOf(ladder).map((step) => step[key]?.family ?? 1)), interim !== null, "steps");
}

function side(model: ChartModel, ladder: Ladder, key: SideKey, operation: string): CostSide | null {
  const measured = stepsOf(ladder).flatMap((step, index) => {
    const cost = step[key];
    return cost ? [{ step, cost, row: index, y: (index + 0.5) * ROW }] : [];
  });
  const [first] = measured;
  if (!first) return null;
  const domain = niceDomain(extent(measured.map(({ cost }) => ({ value: cost.estimate, interval: cost.interval }))), 0);
  const marks = measured.map(({ step, cost, row, y }) => costMark(model, ladder, key, { step, cost, row, y, domain }));
  return { key, title: TITLES[key](operation), unit: first.cost.unit, domain, marks };
}

interface PlacedCost {
  step: LadderStep;
  cost: HopCost;
  row: number;
  y: number;
  domain: [number, number];
}

/** Returns the mark of one cost of a step at its place. */
export function costMark(model: ChartModel, ladder: Ladder, key: SideKey, { step, cost, row, y, domain }: PlacedCost): IntervalMark {
  return {
    key: step.cell_id,
    row,
    x: cost.estimate,
    y,
    error: errorOf(cost.estimate, cost.interval, domain),
    color: COLORS[key],
    shape: 0,
    title: labelOf(model, step.cell_id),
    lines: [
      [t("comparedWith"), labelOf(model, step.from_id)],
      [t("difference"), formatCost(cost)],
      [intervalOf(ladder, key, model), `${formatCostInterval(cost)} ${cost.unit}`],
      [t("rounds"), String(cost.n)],
    ],
  };
}

export function hopCostLayout(model: ChartModel, ladder: Ladder, operation: string): HopCostLayout {
  const rows = stepsOf(ladder).map((step, index): IntervalRow => ({ key: step.cell_id, label: labelOf(model, step.cell_id), sub: formatHops(step), y: (index + 0.5) * ROW, top: index * ROW }));
  return {
    height: stepsOf(ladder).length * ROW,
    rows,
    sides: (["cpu", "throughput"] as const).flatMap((key) => side(model, ladder, key, operation) ?? []),
  };
}

export function hopCostSentence(model: ChartModel, ladder: Ladder): string {
  const parts = stepsOf(ladder).map((step) => {
    const costs = [step.cpu, step.throughput].flatMap((cost) => (cost ? [t("hopCost", { cost: formatCost(cost), interval: formatCostInterval(cost) })] : []));
    return t("hopStep", { from: labelOf(model, step.from_id), to: labelOf(model, step.cell_id), hops: formatHops(step), costs: costs.join(", ") || t("notMeasured") });
  });
  return t("hopSentence", { title: ladder.title, base: labelOf(model, ladder.base_id), steps: parts.join("; ") });
}

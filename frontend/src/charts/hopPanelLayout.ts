/** The cost of each path in a small chart of its own: a row for each ladder, all on the same axes. Pure. */
import type { ChartModel, Ladder, LadderStep } from "@/api/generated";
import { messages } from "@/messages";
import { costMark, formatCost, labelOf, stepsOf, type CostSide, type SideKey } from "./hopCostLayout";
import { extent, niceDomain, type IntervalRow } from "./intervalLayout";

const t = messages("charts");

const ROW = 24;
const SIDES: readonly SideKey[] = ["cpu", "throughput"];

export interface HopPanel {
  /** The path, without what the ladders differ by. */
  title: string;
  /** Its step in the first ladder that has it. */
  step: LadderStep;
  height: number;
  sides: PanelSide[];
}

interface PanelSide extends CostSide {
  /** A row for each ladder, with its cost. */
  rows: IntervalRow[];
}

/** The parts of a label: "Same container, 8 clients" has two. */
const partsOf = (label: string) => label.split(/, ?|，/);

/** Returns the names of ladders: what the labels of their first cells do not have in common. */
export function ladderNames(model: ChartModel, ladders: readonly Ladder[]): string[] {
  const labels = ladders.map(({ base_id: id }) => partsOf(labelOf(model, id)));
  return labels.map((own) => {
    const apart = own.filter((part) => !labels.every((each) => each.includes(part)));
    return (apart.length > 0 ? apart : own).join(", ");
  });
}

interface Placed {
  ladder: Ladder;
  name: string;
  step: LadderStep;
}

/** Returns a panel for each path, with the rows of all ladders. */
export function hopPanels(model: ChartModel, ladders: readonly Ladder[], operation: string): HopPanel[] {
  const names = ladderNames(model, ladders);
  const placed = ladders.flatMap((ladder, at) => stepsOf(ladder).map((step): Placed => ({ ladder, name: names[at] ?? "", step })));
  const domains = Object.fromEntries(SIDES.map((key) => [key, domainOf(placed, key)])) as Record<SideKey, [number, number]>;
  const pathOf = ({ name, step }: Placed) => {
    const own = partsOf(name);
    const label = partsOf(labelOf(model, step.cell_id));
    return label.filter((part) => !own.includes(part)).join(", ") || label.join(", ");
  };
  return [...Map.groupBy(placed, pathOf)].flatMap(([title, found]) => {
    const [first] = found;
    if (!first) return [];
    const sides = SIDES.flatMap((key) => sideOf(model, found, key, domains[key], operation) ?? []);
    return [{ title, step: first.step, height: found.length * ROW, sides }];
  });
}

function domainOf(placed: readonly Placed[], key: SideKey): [number, number] {
  const costs = placed.flatMap(({ step }) => step[key] ?? []);
  return niceDomain(extent(costs.map(({ estimate, interval }) => ({ value: estimate, interval }))), 0);
}

function sideOf(model: ChartModel, placed: readonly Placed[], key: SideKey, domain: [number, number], operation: string): PanelSide | null {
  const marks = placed.flatMap(({ ladder, step }, row) => {
    const cost = step[key];
    return cost ? [costMark(model, ladder, key, { step, cost, row, y: (row + 0.5) * ROW, domain })] : [];
  });
  const unit = placed.flatMap(({ step }) => step[key]?.unit ?? [])[0];
  if (unit === undefined) return null;
  const rows = placed.map(({ name, step }, at): IntervalRow => {
    const cost = step[key];
    const label = cost ? `${name}  ${formatCost(cost)}` : name;
    return { key: step.cell_id, label, y: (at + 0.5) * ROW, top: at * ROW };
  });
  const title = key === "cpu" ? t("cpuPerOperation", { operation }) : t("throughput");
  return { key, title, unit, domain, marks, rows };
}

/** The price of each hop as rows: what it costs in CPU and in throughput more than the nearest path with no more hops. Pure. */
import type { ChartModel, Ladder, Price, Rung } from "@/api/chart";
import { formatSigned, formatSignedInterval } from "@/components/format";
import { intervalName } from "@/components/intervals";
import { errorOf, extent, niceDomain, type IntervalMark, type IntervalRow } from "./intervalLayout";

const ROW = 42;

export type SideKey = "cpu" | "throughput";

export interface LadderSide {
  key: SideKey;
  title: string;
  unit: string;
  domain: [number, number];
  marks: IntervalMark[];
}

export interface LadderLayout {
  height: number;
  rows: IntervalRow[];
  sides: LadderSide[];
}

const TITLES: Record<SideKey, (operation: string) => string> = {
  cpu: (operation) => `CPU per ${operation}, more than from the path before`,
  throughput: () => "Throughput, against the path before",
};
/** Dearer and slower is the expected direction: one colour a side, as its own chart. */
const COLORS: Record<SideKey, number> = { cpu: 0, throughput: 1 };

export function labelOf(model: ChartModel, id: string): string {
  return model.cells.find((cell) => cell.id === id)?.label ?? id;
}

/** Whether anything of a ladder was measured: else there is nothing to draw. */
export function hasPrice({ rungs }: Ladder): boolean {
  return rungs.some(({ cpu, throughput }) => cpu !== null || throughput !== null);
}

/** "+ docker-proxy  − dnat". */
export function hopsTold({ added, removed }: Rung): string {
  return [...added.map((hop) => `+ ${hop}`), ...removed.map((hop) => `− ${hop}`)].join("  ");
}

/** Enough digits to tell a price from its neighbours. */
export function priceDecimals(price: Price): number {
  const size = price.interval ? (price.interval.high - price.interval.low) / 2 : Math.abs(price.estimate);
  return size >= 10 ? 0 : size >= 1 ? 1 : 2;
}

export function priceTold(price: Price): string {
  return `${formatSigned(price.estimate, priceDecimals(price))} ${price.unit}`;
}

export function priceInterval(price: Price): string {
  return formatSignedInterval(price.interval, priceDecimals(price));
}

/** What the intervals of one side hold over: the steps of the ladder, and the interim analyses of the run. */
export function intervalOf({ rungs }: Ladder, key: SideKey, { looks }: Pick<ChartModel, "looks">): string {
  return intervalName(Math.max(1, ...rungs.map((rung) => rung[key]?.family ?? 1)), looks !== null, "steps");
}

function side(model: ChartModel, ladder: Ladder, key: SideKey, operation: string): LadderSide | null {
  const priced = ladder.rungs.flatMap((rung, index) => {
    const price = rung[key];
    return price ? [{ rung, price, row: index, y: (index + 0.5) * ROW }] : [];
  });
  const [first] = priced;
  if (!first) return null;
  const domain = niceDomain(extent(priced.map(({ price }) => ({ value: price.estimate, interval: price.interval }))), 0);
  const marks = priced.map(({ rung, price, row, y }): IntervalMark => ({
    key: rung.cell_id,
    row,
    x: price.estimate,
    y,
    error: errorOf(price.estimate, price.interval, domain),
    color: COLORS[key],
    shape: 0,
    title: labelOf(model, rung.cell_id),
    lines: [
      ["than", labelOf(model, rung.from_id)],
      ["difference", priceTold(price)],
      [intervalOf(ladder, key, model), `${priceInterval(price)} ${price.unit}`],
      ["rounds", String(price.n)],
    ],
  }));
  return { key, title: TITLES[key](operation), unit: first.price.unit, domain, marks };
}

export function ladderLayout(model: ChartModel, ladder: Ladder, operation: string): LadderLayout {
  const rows = ladder.rungs.map((rung, index): IntervalRow => ({ key: rung.cell_id, label: labelOf(model, rung.cell_id), sub: hopsTold(rung), y: (index + 0.5) * ROW, top: index * ROW }));
  return {
    height: ladder.rungs.length * ROW,
    rows,
    sides: (["cpu", "throughput"] as const).flatMap((key) => side(model, ladder, key, operation) ?? []),
  };
}

export function ladderSentence(model: ChartModel, ladder: Ladder): string {
  const parts = ladder.rungs.map((rung) => {
    const prices = [rung.cpu, rung.throughput].flatMap((price) => (price ? [`${priceTold(price)} (95 % interval ${priceInterval(price)})`] : []));
    return `${labelOf(model, rung.from_id)} to ${labelOf(model, rung.cell_id)}, ${hopsTold(rung)}: ${prices.join(", ") || "not measured"}`;
  });
  return `${ladder.title}, from ${labelOf(model, ladder.base_id)}. ${parts.join("; ")}.`;
}

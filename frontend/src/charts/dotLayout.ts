/** The layout of the dot plot: rows, lanes, dots and marks with their vertical positions in pixels. Pure. */
import type { Axis, ChartCell, ChartModel, Interval, Summary } from "@/api/generated";
import { summaryOf } from "@/api/states";
import { formatNumber } from "@/components/format";
import { messages } from "@/messages";
import { grouped, isNested, withinGroup } from "./rowGroups";

const t = messages("charts");

const LANE = 24;
const ROW_GAP = 14;
const NESTED_GAP = 4;
const HEADING = 20;
const JITTER = 6;

/** Why a trial is in no statistic. */
type LeftOut = "excluded" | "invalid" | "contaminated" | "not_proven";

export interface Dot {
  x: number;
  y: number;
  cellId: string;
  label: string;
  round: number;
  /** Whether it is included in the statistics. */
  used: boolean;
  leftOut: LeftOut | null;
  /** Flagged as unsteady, but included. */
  unsteady: boolean;
}

interface Mark {
  x: number;
  y: number;
  cellId: string;
  /** Distances from x to the interval's ends, or null where there is none. */
  error: [number, number] | null;
}

export interface Lane {
  cell: ChartCell;
  y: number;
  summary: Summary | null;
  /** The text at the end of the lane: "n = 10". */
  end: string;
}

export interface Row {
  /** The heading of a group of rows, without lanes. */
  isGroup: boolean;
  label: string;
  y: number;
  top: number;
  bottom: number;
}

interface DotGroup {
  key: string;
  color: number;
  shape: number;
  dots: Dot[];
}

export interface DotLayout {
  height: number;
  domain: [number, number];
  rows: Row[];
  lanes: Lane[];
  groups: DotGroup[];
  marks: Mark[];
  published: (Mark & { ratio: number })[];
  baselines: { x: number; top: number; bottom: number }[];
  /** The number of values outside the domain. */
  hidden: number;
}

interface Replicate {
  round: number;
  value: number;
  used: boolean;
  leftOut: LeftOut | null;
  unsteady: boolean;
}

/** Returns the recorded values of one metric with their rounds, without the trials that have none. */
export function replicates(cell: ChartCell, summary: Summary): Replicate[] {
  return cell.rounds.flatMap((round, index): Replicate[] => {
    const value = summary.values[index];
    const leftOut = whyLeftOut(cell, round);
    return value == null ? [] : [{ round, value, used: leftOut === null, leftOut, unsteady: cell.unsteady.includes(round) }];
  });
}

function whyLeftOut({ left_out, excluded, invalid, contaminated }: ChartCell, round: number): LeftOut | null {
  if (!left_out.includes(round)) return null;
  if (excluded?.includes(round)) return "excluded";
  if (invalid?.includes(round)) return "invalid";
  return contaminated?.includes(round) ? "contaminated" : "not_proven";
}

const WHY = { excluded: "seriesExcludedByHand", invalid: "leftOutInvalid", contaminated: "leftOutContaminated", not_proven: "notProven" } as const;

/** Why a trial is left out, in words. */
export function leftOutText(reason: LeftOut): string {
  return t(WHY[reason]);
}

/** What a hollow dot of this chart means: the reasons that occur in it; null where no trial is left out. */
export function legendLeftOut({ groups }: Pick<DotLayout, "groups">): string | null {
  const found = new Set(groups.flatMap((group) => group.dots.flatMap(({ leftOut }) => leftOut ?? [])));
  const reasons = (Object.keys(WHY) as LeftOut[]).filter((reason) => found.has(reason)).map(leftOutText);
  return reasons.length === 0 ? null : t("legendExcluded", { reasons: reasons.join(", ") });
}

/** Returns a vertical shift within ± JITTER, which depends on cell and round only (FNV-1a). */
export function jitter(cellId: string, round: number): number {
  const id = `${cellId} ${round}`;
  let hash = 2166136261;
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 16777619);
  return (((hash >>> 0) % 1000) / 999 - 0.5) * 2 * JITTER;
}

function within(value: number, [low, high]: readonly [number, number]): boolean {
  return value >= low && value <= high;
}

function error(median: number, interval: Interval | null, [low, high]: readonly [number, number]): [number, number] | null {
  if (!interval) return null;
  return [Math.max(0, median - Math.max(low, interval.low)), Math.max(0, Math.min(high, interval.high) - median)];
}

/** With more series than this, colour and shape do not distinguish them, and each lane names its series. */
const DISTINCT_COLOURS = 3;

/** Returns rows from top to bottom, each with a lane for every shown cell; nested rows follow the heading of their group. */
function placeRows(model: ChartModel, cells: readonly ChartCell[], metric: string, heading: boolean): { rows: Row[]; lanes: Lane[]; height: number } {
  const nested = isNested(cells);
  const named = model.legend.length > DISTINCT_COLOURS;
  const rows: Row[] = [];
  const lanes: Lane[] = [];
  let y = ROW_GAP / 2;
  const addRow = (label: string, cells: readonly ChartCell[], gap: number) => {
    const top = y - gap / 2;
    if (heading && label) y += HEADING;
    const start = y;
    for (const cell of cells) {
      const summary = summaryOf(cell, metric);
      const n = summary ? `n = ${formatNumber(summary.n)}` : "";
      lanes.push({ cell, summary, y: y + LANE / 2, end: named ? [cell.series, n].filter(Boolean).join(", ") : n });
      y += LANE;
    }
    rows.push({ isGroup: false, label, top, bottom: y + gap / 2, y: heading ? start - HEADING / 2 : (start + y) / 2 });
    y += gap;
  };
  for (const { group, items } of nested ? grouped(cells, (cell) => cell) : [{ group: "", items: cells }]) {
    if (nested) {
      rows.push({ isGroup: true, label: group, top: y - ROW_GAP / 2, bottom: y + HEADING, y: y + HEADING / 2 });
      y += HEADING + 4;
    }
    for (const [row, cells] of Map.groupBy(items, (cell) => cell.row)) addRow(nested && cells[0] ? withinGroup(cells[0]) : row, cells, nested ? NESTED_GAP : ROW_GAP);
    if (nested) y += ROW_GAP - NESTED_GAP;
  }
  return { rows, lanes, height: y - ROW_GAP / 2 };
}

/** Groups the dots by colour and shape: the chart draws each group in one pass. */
function groupDots(lanes: readonly Lane[], domain: [number, number]): DotGroup[] {
  const groups = new Map<string, DotGroup>();
  for (const { cell, summary, y } of lanes) {
    const key = `${cell.color}-${cell.shape}`;
    const group = groups.get(key) ?? { key, color: cell.color, shape: cell.shape, dots: [] };
    groups.set(key, group);
    for (const { value, ...trial } of summary ? replicates(cell, summary) : []) {
      if (within(value, domain)) group.dots.push({ x: value, y: y + jitter(cell.id, trial.round), cellId: cell.id, label: cell.label, ...trial });
    }
  }
  return [...groups.values()].filter((group) => group.dots.length > 0);
}

function medianOf(cell: ChartCell | undefined, metric: string): number | null {
  return (cell && summaryOf(cell, metric)?.median) ?? null;
}

function isBaseline(cell: ChartCell): boolean {
  return cell.is_baseline && !cell.is_duplicate;
}

/** Returns the metric of the study's ratios: the run's first metric, or null where the study has none. */
export function publishedMetric({ axes, cells }: ChartModel): string | null {
  return cells.some(({ published }) => published !== null) ? (axes[0]?.metric ?? null) : null;
}

function publishedMarks(cells: readonly ChartCell[], lanes: readonly Lane[], metric: string, domain: [number, number]): DotLayout["published"] {
  return lanes.flatMap(({ cell, y }) => {
    const ratio = cell.published?.ratio;
    const baselineId = cell.comparisons[metric]?.baseline_id;
    const base = medianOf(cells.find((other) => (baselineId ? other.id === baselineId : isBaseline(other))), metric);
    if (!ratio || base === null || cell.is_baseline || cell.is_duplicate || !within(ratio * base, domain)) return [];
    return [{ x: ratio * base, y, cellId: cell.id, error: null, ratio }];
  });
}

function baselineRules(cells: readonly ChartCell[], lanes: readonly Lane[], metric: string, height: number, domain: [number, number]): DotLayout["baselines"] {
  const bases = cells.filter((cell) => isBaseline(cell) && medianOf(cell, metric) !== null);
  return bases.flatMap((base) => {
    const x = medianOf(base, metric) ?? 0;
    if (!within(x, domain)) return [];
    if (bases.length === 1) return [{ x, top: 0, bottom: height }];
    return lanes
      .filter((lane) => lane.cell === base || lane.cell.comparisons[metric]?.baseline_id === base.id)
      .map((lane) => ({ x, top: lane.y - LANE / 2, bottom: lane.y + LANE / 2 }));
  });
}

interface Options {
  zoomed: boolean;
  /** Whether a row's label is above its lanes (narrow) or beside them. */
  heading: boolean;
  /** The cells that get a lane, by default all. Baselines are searched among all cells. */
  shown?: readonly ChartCell[];
}

export function dotLayout(model: ChartModel, axis: Axis, { zoomed, heading, shown: cells = model.cells }: Options): DotLayout {
  const domain = zoomed ? axis.zoom : axis.domain;
  const { rows, lanes, height } = placeRows(model, cells, axis.metric, heading);
  const groups = groupDots(lanes, domain);
  const marks = lanes.flatMap(({ cell, y, summary }): Mark[] =>
    summary?.median != null && within(summary.median, domain)
      ? [{ x: summary.median, y, cellId: cell.id, error: error(summary.median, summary.interval, domain) }]
      : [],
  );
  const all = lanes.reduce((sum, { cell, summary }) => sum + (summary ? replicates(cell, summary).length : 0), 0);
  const shown = groups.reduce((sum, group) => sum + group.dots.length, 0);
  return {
    height,
    domain,
    rows,
    lanes,
    groups,
    marks,
    published: axis.metric === publishedMetric(model) ? publishedMarks(model.cells, lanes, axis.metric, domain) : [],
    baselines: baselineRules(model.cells, lanes, axis.metric, height, domain),
    hidden: all - shown,
  };
}

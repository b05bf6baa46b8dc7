/** The layout of the joint chart: one line for each cell, with its throughput and its CPU by role at the same height. Pure. */
import type { Axis, ChartCell, ChartModel, Comparison } from "@/api/generated";
import { hasFigures, isTerminal, summaryOf } from "@/api/states";
import { formatLevel, formatNumber, formatSignificant } from "@/components/format";
import { grouped, isNested, withinGroup } from "@/charts/rowGroups";
import { roleLayout, type RoleBar } from "@/charts/roleLayout";
import { ROLES, UNUSED, type RoleName } from "@/theme/palette";
import { rateScale, type RateScale } from "./rateScale";

/** The heights of a line, with few and with many of them, and of one of the two lines of a cell on a narrow screen. */
const ROOMY = 26;
const DENSE = 22;
const STACKED = 21;
/** From so many lines on they are dense. */
const MANY_LINES = 11;

/** Of more cells than this, the rows of the answer are first. */
export const ANSWER_FIRST = 12;
/** So many cells are all drawn at first; of more, as many as fit into a screen or on a slide. */
const ALL_AT_ONCE = 16;

/** Returns how many of these cells are drawn before somebody asks for more. */
export function drawnFirst(cells: number): number {
  return cells <= ALL_AT_ONCE ? cells : ANSWER_FIRST;
}

export interface JointLine {
  key: string;
  /** A heading of several rows, the name of a row or the figures of a cell above its plots, or the plots of a cell. */
  kind: "heading" | "row" | "figures" | "cell";
  /** The heading or the name of the row; empty where the row goes on. */
  name: string;
  /** The level of the series. */
  level: string;
  /** Whether a row begins here. */
  starts: boolean;
  cell: ChartCell | null;
  /** The middle. */
  y: number;
  /** The median, as text. */
  value: string;
  comparison: Comparison | null;
  bar: RoleBar | null;
  /** The cores of the proxy or, where no cell has one, of all roles, as text. */
  cores: string;
}

export interface CpuScale {
  domain: [number, number];
  roles: RoleName[];
  /** The cores of the host; `isBeyond`: far outside of the domain. */
  cores: number | null;
  isBeyond: boolean;
  /** Whether any cell has CPU of a proxy. */
  hasProxy: boolean;
  /** Whether any cell has CPU, or can still get it. */
  isMeasured: boolean;
  /** Whether no cell has CPU yet. */
  isEmpty: boolean;
}

export interface JointLayout {
  lines: JointLine[];
  lineHeight: number;
  height: number;
  rate: RateScale;
  cpu: CpuScale;
  /** Whether figures can still come: their columns then have their width before. */
  isProvisional: boolean;
  /** Whether the column of changes exists. */
  hasChanges: boolean;
}

interface Options {
  shown: readonly ChartCell[];
  isZoomed: boolean;
  /** Whether a cell's name is above its plots. */
  isNarrow: boolean;
}

/** Returns the cells that the chart can draw: an A/A duplicate measures the method, not a path. */
export function jointCells({ cells }: { cells: readonly ChartCell[] }): ChartCell[] {
  const single = cells.filter((cell) => !cell.is_duplicate);
  return single.length > 0 ? single : [...cells];
}

/** Returns the cells with the rows of one cell and of its baseline first, where there are many. */
export function answerFirst(cells: readonly ChartCell[], cellId: string | null, metric: string): ChartCell[] {
  const answer = cells.find(({ id }) => id === cellId);
  if (!answer || cells.length <= ANSWER_FIRST) return [...cells];
  const baseline = cells.find(({ id }) => id === answer.comparisons[metric]?.baseline_id);
  const rank = (found: readonly ChartCell[], same: (a: ChartCell, b: ChartCell) => boolean) =>
    found.some((cell) => same(cell, answer)) ? 0 : baseline && found.some((cell) => same(cell, baseline)) ? 1 : 2;
  const byRank = <T extends readonly ChartCell[]>(all: T[], same: (a: ChartCell, b: ChartCell) => boolean) => all.sort((a, b) => rank(a, same) - rank(b, same));
  const groups = grouped(cells, (cell) => cell).map(({ items }) => byRank([...Map.groupBy(items, ({ row }) => row).values()], (a, b) => a.row === b.row).flat());
  return byRank(groups, (a, b) => (a.row_group || a.row) === (b.row_group || b.row)).flat();
}

/** Returns the level of a cell's series in short: a switch is "on" or "off". */
export function seriesLevel(cell: ChartCell, factor: string): string {
  const level = cell.levels[factor];
  return typeof level === "boolean" ? formatLevel(level) : cell.series;
}

/** Whether a run goes on, so that figures can still come. */
function isUnfinished({ state }: Pick<ChartModel, "state">): boolean {
  return !isTerminal(state);
}

function cpuOf(model: ChartModel): CpuScale & { bars: Map<string, RoleBar> } {
  const { bars, roles, domain, ceilingBeyond } = roleLayout({ ...model, cells: jointCells(model) }, "cores");
  const used = roles.filter((role) => !UNUSED.has(role));
  const isEmpty = bars.every(({ total }) => total === null);
  const isAwaited = isUnfinished(model) && model.origin === "measured";
  return {
    bars: new Map(bars.map((bar) => [bar.id, bar])),
    domain: !isEmpty && domain[1] > 0 ? domain : [0, 1],
    roles: isAwaited ? ROLES.map(({ role }) => role).filter((role) => !UNUSED.has(role)) : used,
    cores: model.cores,
    isBeyond: !isEmpty && ceilingBeyond,
    hasProxy: used.includes("proxy"),
    isMeasured: !isEmpty || isAwaited,
    isEmpty,
  };
}

/** Returns the lines of the shown cells and the scales of all. */
export function jointLayout(model: ChartModel, axis: Axis, { shown, isZoomed, isNarrow }: Options): JointLayout {
  const { bars, ...cpu } = cpuOf(model);
  const lines: JointLine[] = [];
  const several = model.legend.length > 1;
  const rate = rateScale(model, axis, isZoomed);
  const format = rate.isLog ? formatSignificant : (value: number) => formatNumber(value, axis.decimals);
  const add = (line: Pick<JointLine, "key" | "kind" | "name"> & Partial<JointLine>) =>
    lines.push({ level: "", starts: true, cell: null, y: 0, value: "", comparison: null, bar: null, cores: "", ...line });
  const addRow = (name: string, cells: readonly ChartCell[]) =>
    cells.forEach((cell, at) => {
      const level = several ? seriesLevel(cell, model.series_factor) : "";
      const figures = figuresOf(cell, axis, bars.get(cell.id), cpu.hasProxy, format);
      const starts = at === 0 || !several;
      if (isNarrow && starts) add({ key: `${cell.id} row`, kind: "row", cell, name });
      if (isNarrow) add({ key: `${cell.id} figures`, kind: "figures", ...figures, name, level, starts: false });
      add({ key: cell.id, kind: "cell", ...figures, name: at === 0 ? name : "", level, starts: !isNarrow && at === 0 });
    });
  const nested = isNested(shown);
  for (const { group, items } of nested ? grouped(shown, (cell) => cell) : [{ group: "", items: shown }]) {
    const rows = [...Map.groupBy(items, ({ row }) => row)];
    const isHeaded = nested && rows.length > 1;
    if (isHeaded) add({ key: `group ${group}`, kind: "heading", name: group });
    for (const [row, cells] of rows) addRow(isHeaded && cells[0] ? withinGroup(cells[0]) || row : row, cells);
  }
  const lineHeight = isNarrow ? STACKED : lines.length < MANY_LINES ? ROOMY : DENSE;
  lines.forEach((line, at) => (line.y = (at + 0.5) * lineHeight));
  const isProvisional = isUnfinished(model);
  const hasChanges = lines.some(({ comparison }) => comparison !== null) || (isProvisional && shown.some(({ comparisons }) => comparisons[axis.metric]));
  return { lines, lineHeight, height: lines.length * lineHeight, rate, cpu, isProvisional, hasChanges };
}

function figuresOf(cell: ChartCell, axis: Axis, bar: RoleBar | undefined, hasProxy: boolean, format: (value: number) => string) {
  const summary = summaryOf(cell, axis.metric);
  const cores = bar == null || bar.total === null ? null : hasProxy ? (bar.values.proxy ?? 0) : bar.total;
  return {
    cell,
    value: summary?.median == null ? "" : format(summary.median),
    comparison: hasFigures(cell) && summary ? (cell.comparisons[axis.metric] ?? null) : null,
    bar: bar ?? null,
    cores: cores === null ? "" : cores === 0 ? "0" : formatNumber(cores, 2),
  };
}

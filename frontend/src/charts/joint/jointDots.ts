/** The dots, medians and intervals of the joint chart at their positions, and its marks for the keyboard. Pure. */
import type { Axis, ChartCell } from "@/api/generated";
import { summaryOf } from "@/api/states";
import { formatNumber } from "@/components/format";
import { messages } from "@/messages";
import { dotMarks } from "@/charts/dotKeyboard";
import { jitter, replicates, type Dot, type Lane } from "@/charts/dotLayout";
import type { ChartMark } from "@/charts/frame/ChartMarks";
import { roleName } from "@/charts/roleNames";
import type { JointLayout } from "./jointLayout";

const charts = messages("charts");

/** Half the height over which the dots of a line are spread, of that in the dot plot. */
const SPREAD = 0.8;

interface JointDot extends Dot {
  /** The value at x. */
  value: number;
}

interface DotGroup {
  key: string;
  color: number;
  shape: number;
  dots: JointDot[];
}

export interface JointDots {
  groups: DotGroup[];
  medians: { x: number; y: number; cellId: string; error: [number, number] | null }[];
  /** The number of values outside of the scale. */
  hidden: number;
}

export function jointDots({ lines, rate: { at, domain } }: JointLayout, axis: Axis): JointDots {
  const groups = new Map<string, DotGroup>();
  const medians: JointDots["medians"] = [];
  const isWithin = (x: number) => x >= domain[0] && x <= domain[1];
  const clamp = (x: number) => Math.max(domain[0], Math.min(domain[1], x));
  let hidden = 0;
  for (const { kind, cell, y } of lines) {
    const summary = kind === "cell" && cell ? summaryOf(cell, axis.metric) : null;
    if (!cell || !summary) continue;
    const key = `${cell.color}-${cell.shape}`;
    const group = groups.get(key) ?? { key, color: cell.color, shape: cell.shape, dots: [] };
    groups.set(key, group);
    for (const { value, ...trial } of replicates(cell, summary)) {
      const x = at(value);
      if (isWithin(x)) group.dots.push({ x, value, y: y + SPREAD * jitter(cell.id, trial.round), cellId: cell.id, label: cell.label, ...trial });
      else hidden += 1;
    }
    if (summary.median === null || !isWithin(at(summary.median))) continue;
    const x = at(summary.median);
    const { interval } = summary;
    const error: [number, number] | null = interval && [Math.max(0, x - clamp(at(interval.low))), Math.max(0, clamp(at(interval.high)) - x)];
    medians.push({ x, y, cellId: cell.id, error });
  }
  return { groups: [...groups.values()].filter(({ dots }) => dots.length > 0), medians, hidden };
}

interface Open {
  onTrial: ((cellId: string, round: number) => void) | undefined;
  onCell: ((cellId: string) => void) | undefined;
}

export function cpuKey(cellId: string): string {
  return `${cellId} cpu`;
}

/** Returns the marks of each cell: its median, its CPU by role, then its trials by value. */
export function jointMarks(layout: JointLayout, { groups }: JointDots, axis: Axis, open: Open): ChartMark[] {
  const lines = layout.lines.filter(({ kind }) => kind === "cell");
  const lanes = lines.flatMap(({ cell, y }): Lane[] => (cell ? [{ cell, y, summary: summaryOf(cell, axis.metric), end: "" }] : []));
  const values = groups.map((group) => ({ ...group, dots: group.dots.map((dot) => ({ ...dot, x: dot.value })) }));
  const ofCell = Map.groupBy(dotMarks({ ...EMPTY, lanes, groups: values }, axis, open), ({ group }) => group);
  return lines.flatMap(({ cell, bar }): ChartMark[] => {
    if (!cell) return [];
    const [median, ...trials] = ofCell.get(cell.id) ?? [];
    const cpu = bar == null || bar.total === null ? [] : [{ key: cpuKey(cell.id), group: cell.id, text: cpuText(cell, bar, layout), open: open.onCell && (() => open.onCell?.(cell.id)) }];
    return [...(median ? [median] : []), ...cpu, ...trials];
  });
}

const EMPTY = { height: 0, domain: [0, 1] as [number, number], rows: [], marks: [], published: [], baselines: [], hidden: 0 };

function cpuText(cell: ChartCell, bar: NonNullable<JointLayout["lines"][number]["bar"]>, { cpu }: JointLayout): string {
  const parts = cpu.roles.map((role) => `${roleName(role)} ${formatNumber(bar.values[role] ?? 0, 2)}`);
  return charts("markRoles", { cell: cell.label, total: formatNumber(bar.total, 2), unit: charts("coresLow"), parts: parts.join(", ") });
}

/** The layout of a sweep: series over equally spaced levels, for one metric. Pure. */
import type { Axis, PanelFigure, Sweep } from "@/api/generated";
import { formatNumber } from "@/components/format";

/** With at most this many series, each is labelled at its end instead of in a legend. */
export const DIRECT = 7;
/** From one label to the next at least, in pixels. */
const LABEL = 15;
/** Neighbouring series are shifted by this part of the distance between levels, so that their intervals do not overlap. */
const SHIFT = 0.05;

export interface SweepPoint {
  key: string;
  cellId: string;
  series: number;
  label: string;
  level: string;
  x: number;
  y: number;
  figure: PanelFigure;
  color: number;
  shape: number;
}

export interface SweepLine {
  series: number;
  color: number;
  segments: { x: readonly [number, number]; y: readonly [number, number] }[];
  whiskers: { x: readonly [number, number]; y: readonly [number, number] }[];
  /** The end of the line, for its label; null without a figure. */
  end: { x: number; y: number; label: string; labelY: number } | null;
}

export interface SweepLayout {
  points: SweepPoint[];
  lines: SweepLine[];
  domain: [number, number];
}

/** Returns the text of each level: "8", or its label where it is no quantity. */
export function levelTexts({ levels }: Sweep): string[] {
  return levels.map(({ level, label }) => label || formatNumber(level));
}

export function sweepLayout(sweep: Sweep, axis: Axis, series: number, height: number): SweepLayout {
  const shown = sweep.series.slice(0, series);
  const texts = levelTexts(sweep);
  const points = shown.flatMap((each, index) => {
    const shift = (index - (shown.length - 1) / 2) * Math.min(SHIFT, 0.4 / Math.max(1, shown.length));
    return (each.figures[axis.metric] ?? []).flatMap((figure, level): SweepPoint[] => {
      const cellId = each.cells[level];
      if (!figure || cellId == null) return [];
      return [{ key: `${axis.metric} ${cellId}`, cellId, series: index, label: each.label, level: texts[level] ?? "", x: level + shift, y: figure.median, figure, color: each.color, shape: each.shape }];
    });
  });
  const lines = shown.map((each, index): SweepLine => {
    const own = points.filter((point) => point.series === index);
    const last = own.at(-1);
    return {
      series: index,
      color: each.color,
      segments: own.slice(1).map((point, at) => ({ x: [own[at]?.x ?? point.x, point.x], y: [own[at]?.y ?? point.y, point.y] })),
      whiskers: own.flatMap(({ x, figure: { interval } }) => (interval ? [{ x: [x, x] as const, y: [interval.low, interval.high] as const }] : [])),
      end: last ? { x: last.x, y: last.y, label: each.label, labelY: 0 } : null,
    };
  });
  const domain: [number, number] = [axis.domain[0], axis.domain[1]];
  placeLabels(lines, domain, height);
  return { points, lines, domain };
}

/** Sets the pixel positions of the labels so that none overlaps another, as near to their lines as possible. */
function placeLabels(lines: readonly SweepLine[], [low, high]: readonly [number, number], height: number): void {
  const ends = lines.flatMap(({ end }) => (end ? [end] : [])).sort((a, b) => b.y - a.y);
  let above = -Infinity;
  for (const end of ends) {
    end.labelY = Math.max(above + LABEL, (1 - (end.y - low) / (high - low || 1)) * height);
    above = end.labelY;
  }
  let below = height;
  for (const end of [...ends].reverse()) {
    end.labelY = Math.min(below, end.labelY);
    below = end.labelY - LABEL;
  }
}

/** Rows of estimates with their intervals, for cost per hop, comparison and pivot. Pure. */
import type { Interval } from "@/api/generated";
import { niceTicks } from "./ticks";

export interface IntervalRow {
  key: string;
  label: string;
  /** A second, smaller line. */
  sub?: string;
  /** The vertical positions of the name and of the row's top. */
  y: number;
  top: number;
}

export interface IntervalMark {
  key: string;
  /** The index of its row. */
  row: number;
  x: number;
  y: number;
  /** Distances from x to the interval's ends inside the domain, or null where there is none. */
  error: [number, number] | null;
  color: number;
  shape: number;
  title: string;
  lines: (readonly [string, string])[];
}

/** Returns the width of the longest name. */
export function nameWidth(rows: readonly IntervalRow[]): number {
  const longest = rows.reduce((most, { label, sub }) => Math.max(most, label.length, (sub?.length ?? 0) * 0.9), 0);
  return Math.max(90, 18 + longest * 6.7);
}

/** Names wider than this share of the chart are drawn above their rows. */
const BESIDE = 0.42;
const HEADING = 20;

export function namesFit(rows: readonly IntervalRow[], width: number): boolean {
  return nameWidth(rows) <= width * BESIDE;
}

interface Placed {
  height: number;
  rows: readonly IntervalRow[];
  marks: readonly IntervalMark[];
}

/** Returns the layout with each row's name above the row. */
export function withHeadings({ height, rows, marks }: Placed): Placed {
  return {
    height: height + rows.length * HEADING,
    rows: rows.map((row, index) => ({ ...row, top: row.top + index * HEADING, y: row.top + index * HEADING + HEADING / 2 })),
    marks: marks.map((mark) => ({ ...mark, y: mark.y + (mark.row + 1) * HEADING })),
  };
}

/** Returns a domain between round numbers that includes all values and `around`. */
export function niceDomain(values: readonly number[], around: number): [number, number] {
  const low = Math.min(around, ...values);
  const high = Math.max(around, ...values);
  if (low === high) return [low - 1, high + 1];
  const ticks = niceTicks([low, high], 5);
  const step = (ticks[1] ?? high) - (ticks[0] ?? low) || high - low;
  const round = (value: number) => Number(value.toPrecision(12));
  return [round(Math.floor(low / step + 1e-9) * step), round(Math.ceil(high / step - 1e-9) * step)];
}

/** Returns the distances from the estimate to the ends of its interval, clipped to the domain. */
export function errorOf(x: number, interval: Interval | null, [low, high]: readonly [number, number]): [number, number] | null {
  if (!interval) return null;
  return [Math.max(0, x - Math.max(low, interval.low)), Math.max(0, Math.min(high, interval.high) - x)];
}

/** Returns the estimates and the ends of their intervals. */
export function extent(items: readonly { value: number | null; interval: Interval | null }[]): number[] {
  return items.flatMap(({ value, interval }) => [...(value === null ? [] : [value]), ...(interval ? [interval.low, interval.high] : [])]);
}

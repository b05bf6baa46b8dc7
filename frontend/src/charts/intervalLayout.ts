/** Rows of estimates with their intervals, for cost per hop, comparison and pivot. Pure. */
import type { Interval } from "@/api/generated";
import type { ChartMark } from "./frame/ChartMarks";
import { niceTicks } from "./ticks";
import { charactersOf } from "./textWidth";

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

/** Returns the marks for the keyboard, in groups by row. */
export function intervalMarks(marks: readonly IntervalMark[]): ChartMark[] {
  return marks.map(({ key, row, title, lines }) => ({ key, group: String(row), text: [title, ...lines.map((line) => line.join(" "))].join("; ") }));
}

/** Returns the width of the longest name. */
export function nameWidth(rows: readonly IntervalRow[]): number {
  const longest = rows.reduce((most, { label, sub }) => Math.max(most, charactersOf(label), charactersOf(sub ?? "") * 0.9), 0);
  return Math.max(90, 18 + longest * 6.7);
}

/** Names wider than this share of the chart are drawn above their rows. */
const BESIDE = 0.42;
const HEADING = 20;
/** From one line of a heading to the next, in pixels. */
export const HEADING_LINE = 15;
/** The width of a character of a heading and of a tick, in pixels; of a wide font rather than a narrow one. */
const HEADING_CHARACTER = 7.4;
const TICK_CHARACTER = 7;
const MOST_LINES = 3;

export function namesFit(rows: readonly IntervalRow[], width: number): boolean {
  return nameWidth(rows) <= width * BESIDE;
}

interface Placed<Row> {
  height: number;
  rows: readonly Row[];
  marks: readonly IntervalMark[];
}

/** A row whose name is above it, in lines; `y` is the middle of the first one. */
export interface HeadedRow extends IntervalRow {
  heading: string[];
}

/** Returns the layout with each row's name above the row, in as many lines as `width` needs. */
export function withHeadings({ height, rows, marks }: Placed<IntervalRow>, width: number): Placed<HeadedRow> {
  const most = Math.max(8, Math.floor((width - 2 * HEADING_EDGE) / HEADING_CHARACTER));
  const headings = rows.map(({ label }) => inLines(label, most));
  const above: number[] = [];
  let sum = 0;
  for (const heading of headings) {
    above.push(sum);
    sum += HEADING + (heading.length - 1) * HEADING_LINE;
  }
  const shift = (index: number) => above[index] ?? sum;
  return {
    height: height + sum,
    rows: rows.map((row, index) => ({ ...row, heading: headings[index] ?? [], top: row.top + shift(index), y: row.top + shift(index) + HEADING / 2 })),
    marks: marks.map((mark) => ({ ...mark, y: mark.y + shift(mark.row + 1) })),
  };
}

/** Where headings begin, in pixels. */
export const HEADING_EDGE = 4;

/** Returns a text in at most MOST_LINES lines of `most` characters; the last one of a longer text is cut. */
function inLines(text: string, most: number): string[] {
  const lines: string[] = [];
  let rest = text.trim();
  while (rest.length > most && lines.length < MOST_LINES - 1) {
    const space = rest.lastIndexOf(" ", most);
    const end = space > 0 ? space : most;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest.length <= most ? rest : `${rest.slice(0, most - 1).trimEnd()}…`];
}

/** Returns how far a tick's label reaches beyond the end of its axis. */
export function overhang(label: string | undefined): number {
  return Math.ceil(((label?.length ?? 0) * TICK_CHARACTER) / 2) + 2;
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

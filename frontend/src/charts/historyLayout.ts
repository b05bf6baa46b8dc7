/** Positions of a history's points: x by time, y by value, both in pixels. */
import type { HistoryChange, HistorySeries } from "@/api/generated";

export interface HistoryDot {
  run: number;
  x: number;
  y: number;
}

interface HistoryLine {
  path: string;
  dots: HistoryDot[];
  /** The x of each change, and the band of the time in which it happened. */
  changes: { x: number; from: number; to: number }[];
  /** The x of runs with a changed environment. */
  marks: number[];
}

const EDGE = 4;

/** Returns times as milliseconds; equal ones are kept apart by one. */
export function timesOf(runs: readonly { started_at: string }[]): number[] {
  let last = -Infinity;
  return runs.map(({ started_at }) => (last = Math.max(Date.parse(started_at), last + 1)));
}

/** Returns the range of all values and intervals with a tenth of it on either side. */
export function valueRange(points: HistorySeries["points"]): [number, number] {
  const all = points.flatMap((point) => (point ? [point.value, point.interval?.low ?? point.value, point.interval?.high ?? point.value] : []));
  if (all.length === 0) return [0, 1];
  const low = Math.min(...all);
  const high = Math.max(...all);
  const edge = (high - low || Math.abs(high) || 1) / 10;
  return [low - edge, high + edge];
}

export function historyLine(points: HistorySeries["points"], times: readonly number[], changes: readonly Pick<HistoryChange, "at" | "first" | "last">[], marks: readonly number[], width: number, height: number): HistoryLine {
  const [low, high] = valueRange(points);
  const begin = times[0] ?? 0;
  const span = (times.at(-1) ?? 0) - begin || 1;
  const x = (run: number) => Number((EDGE + (((times[run] ?? begin) - begin) / span) * (width - 2 * EDGE)).toFixed(1));
  const dots = points.flatMap((point, run) => (point ? [{ run, x: x(run), y: Number((height - EDGE - ((point.value - low) / (high - low)) * (height - 2 * EDGE)).toFixed(1)) }] : []));
  return {
    path: dots.map(({ x: left, y }, index) => `${index ? "L" : "M"}${left} ${y}`).join(""),
    dots,
    changes: changes.map(({ at, first, last }) => ({ x: x(at), from: x(Math.max(0, first - 1)), to: x(last) })),
    marks: marks.map(x),
  };
}

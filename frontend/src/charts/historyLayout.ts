/** Positions of a history's points: x by time, y by value, both in pixels. */
import type { HistoryChange, HistorySeries } from "@/api/generated";
import { languageTag } from "@/messages/language";

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

const DAY_MS = 86_400_000;

/** The labels of a time axis: days, or times of day where the span is under two days; then `day` is the first one's date and `zone` the time zone. */
export function timeAxis(times: readonly number[]): { tick: (time: number) => string; day: string; zone: string } {
  const [first = 0] = times;
  const last = times.at(-1) ?? first;
  const day = new Intl.DateTimeFormat(languageTag(), { month: "short", day: "numeric" });
  if (last - first >= 2 * DAY_MS) return { tick: (time) => day.format(time), day: "", zone: "" };
  const oneDay = day.format(first) === day.format(last);
  const clock: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit", ...(last - first < 10 * 60_000 && { second: "2-digit" as const }), hourCycle: "h23" };
  const time = new Intl.DateTimeFormat(languageTag(), oneDay ? clock : { month: "short", day: "numeric", ...clock });
  const zone = new Intl.DateTimeFormat(languageTag(), { timeZoneName: "short" }).formatToParts(first).find(({ type }) => type === "timeZoneName")?.value ?? "UTC";
  return { tick: (at) => time.format(at), day: day.format(first), zone };
}

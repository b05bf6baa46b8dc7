/** The common axis of the latest answers: ratios, logarithmic, in per cent of its width. Pure. */
import type { HomeRun, VerdictCell } from "@/api/generated";
import { outcomeOf } from "@/components/runOutcome";
import { cellOf } from "./figures";

/** A dot with its interval; `beyond`: the end for a change from or to zero, which has no ratio. */
export interface AnswerMark {
  at: number;
  low: number | null;
  high: number | null;
  /** Whether the interval goes on beyond the end of the axis. */
  cutLow: boolean;
  cutHigh: boolean;
  beyond: -1 | 0 | 1;
}

export interface AnswerAxis {
  ticks: { at: number; label: string }[];
  /** The place of the ratio 1. */
  one: number;
  /** The mark of each run with an answer, by id. */
  marks: ReadonlyMap<string, AnswerMark>;
}

/** The axis reaches at least from 1/1.25 to 1.25, so that small differences are drawn small. */
const LEAST = Math.log(1.25);
/** Beyond so many times the outermost estimate, an interval is cut at the end of the axis. */
const REACH = Math.log(1.6);
/** Estimates beyond this ratio, up or down, are drawn at the end of the axis. */
const MOST = Math.log(1000);
/** Per cent of the width at either side, for marks at the ends. */
const EDGE = 3;
const MOST_TICKS = 6;
const WIDE = [0.001, 0.01, 0.1, 1, 10, 100, 1000];
const MIDDLE = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50];
const NARROW = [0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.2, 1.5, 2, 2.5, 3];

const logOf = (ratio: number | null) => (ratio !== null && ratio > 0 ? Math.log(ratio) : null);
const clamp = (value: number) => Math.min(MOST, Math.max(-MOST, value));

export function answerAxis(runs: readonly HomeRun[]): AnswerAxis {
  const cells = runs.flatMap(({ id, verdict }) => {
    const cell = verdict && outcomeOf(verdict) !== "no_answer" ? cellOf(verdict) : null;
    return cell ? [{ id, cell }] : [];
  });
  const [from, to] = domainOf(cells.map(({ cell }) => cell));
  const place = (log: number) => EDGE + ((log - from) / (to - from)) * (100 - 2 * EDGE);
  return {
    one: place(0),
    ticks: ticksOf(from, to).map((ratio) => ({ at: place(Math.log(ratio)), label: `${ratio}×` })),
    marks: new Map(cells.map(({ id, cell }) => [id, markOf(cell, from, to, place)])),
  };
}

function domainOf(cells: readonly VerdictCell[]): [number, number] {
  const logs = cells.flatMap(({ ratio }) => logOf(ratio) ?? []).map(clamp);
  const [low, high] = [Math.min(-LEAST, ...logs), Math.max(LEAST, ...logs)];
  const ends = cells.flatMap((cell) => [logOf(cell.low) ?? [], logOf(cell.high) ?? []].flat());
  const near = (end: number) => Math.min(high + REACH, Math.max(low - REACH, clamp(end)));
  return [Math.min(low, ...ends.map(near)), Math.max(high, ...ends.map(near))];
}

function markOf(
  { ratio, low, high, difference }: VerdictCell,
  from: number,
  to: number,
  place: (log: number) => number,
): AnswerMark {
  const none = { low: null, high: null, cutLow: false, cutHigh: false };
  const log = logOf(ratio);
  if (log === null) {
    const beyond = Math.sign(difference?.value ?? 0) as -1 | 0 | 1;
    return { ...none, at: beyond < 0 ? EDGE : beyond > 0 ? 100 - EDGE : place(0), beyond };
  }
  const [left, right] = [logOf(low), logOf(high)];
  const at = place(Math.min(to, Math.max(from, log)));
  if (left === null || right === null) return { ...none, at, beyond: 0 };
  return {
    at,
    low: left < from ? 0 : place(left),
    high: right > to ? 100 : place(right),
    cutLow: left < from,
    cutHigh: right > to,
    beyond: 0,
  };
}

/** Returns round ratios in the domain, at most MOST_TICKS, with 1 among them. */
function ticksOf(from: number, to: number): number[] {
  const span = to - from;
  const steps = span > Math.log(60) ? WIDE : span > Math.log(5) ? MIDDLE : NARROW;
  const inside = steps.filter((ratio) => Math.log(ratio) >= from && Math.log(ratio) <= to);
  const every = Math.ceil(inside.length / MOST_TICKS);
  const one = inside.indexOf(1);
  return inside.filter((_, index) => (index - one) % every === 0);
}

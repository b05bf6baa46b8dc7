/** Formats a comparison: its ratio, or its difference where a value is zero and no ratio exists. */
import type { Difference, Interval } from "@/api/generated";
import { catalogName } from "./serverText";
import { formatInterval, formatNumber, formatRatio, formatSigned, formatSignedInterval } from "./format";

export interface Effect {
  ratio: number | null;
  interval: Interval | null;
  difference?: Difference | null;
}

const WORD = /^[a-z]{3,}$/i;

/** "0.595×", or "+1,096 segments". */
export function formatEffect(found: Effect | null | undefined): string {
  return found?.difference ? formatDifference(found.difference) : formatRatio(found?.ratio);
}

const TIMES = 10;
const LARGEST = 1e9;
const MOST_DECIMALS = 7;

/** Whether a ratio is stated as a multiple and not as a change: from 10.00 on, as it is shown. The server's rule (verdict.py). */
export function isMultiple(ratio: number): boolean {
  return Number(ratio.toFixed(2)) >= TIMES;
}

/** A ratio as a signed change, "−17.3 %"; from ten on as a multiple, "12×". */
export function formatChange(ratio: number): string {
  if (isMultiple(ratio)) {
    const rounded = Number(ratio.toPrecision(2));
    return `${ratio < LARGEST ? formatNumber(rounded) : rounded.toExponential()}×`;
  }
  const text = formatSigned(100 * (ratio - 1), decimalsOfChange(ratio));
  return /[1-9]/.test(text) ? `${text} %` : "0 %";
}

/** One below 100 % as it is shown, else none; more where a ratio above 0 would be shown as a fall by 100 %. */
function decimalsOfChange(ratio: number): number {
  const change = 100 * (ratio - 1);
  if (ratio === 0 || Number(change.toFixed(1)) >= 100) return 0;
  let decimals = 1;
  while (ratio > 0 && decimals < MOST_DECIMALS && Number(change.toFixed(decimals)) <= -100) decimals += 1;
  return decimals;
}

/** The interval of the ratio or difference; empty where there is none. */
export function formatEffectInterval(found: Effect | null | undefined): string {
  const difference = found?.difference;
  if (!difference) return found?.interval ? formatInterval(found.interval, 3) : "";
  return difference.interval ? formatSignedInterval(difference.interval, decimalsOf(difference)) : "";
}

/** A difference with its sign and unit. */
export function formatDifference(difference: Difference): string {
  return withUnit(formatSigned(difference.value, decimalsOf(difference)), difference.unit);
}

/** One end of its interval with the unit. */
export function formatEnd(difference: Difference, end: number): string {
  return withUnit(formatSigned(end, decimalsOf(difference)), difference.unit);
}

/** A unit in the page's language. */
export function unitOf(unit: string): string {
  return WORD.test(unit) ? catalogName("unit", unit, unit) : unit;
}

function withUnit(number: string, unit: string): string {
  return unit === "" || unit === "1/s" ? number : `${number} ${unitOf(unit)}`;
}

/** Decimals for three significant digits of the largest figure; none for whole numbers. */
function decimalsOf({ value, interval }: Difference): number {
  const figures = interval ? [value, interval.low, interval.high] : [value];
  if (figures.every(Number.isInteger)) return 0;
  const largest = Math.max(...figures.map(Math.abs));
  return largest > 0 ? Math.min(7, Math.max(0, 2 - Math.floor(Math.log10(largest)))) : 0;
}

/** Formats a comparison: its ratio, or its difference where a value is zero and no ratio exists. */
import type { Difference, Interval } from "@/api/generated";
import { catalogName } from "./serverText";
import { formatInterval, formatRatio, formatSigned, formatSignedInterval } from "./format";

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

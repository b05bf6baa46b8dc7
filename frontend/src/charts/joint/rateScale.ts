/** The scale of throughput: linear from 0 or zoomed, or logarithmic where the values span decades. Pure. */
import type { Axis, ChartModel } from "@/api/generated";
import { summaryOf } from "@/api/states";
import { formatNumber, formatSignificant } from "@/components/format";
import { niceTicks, tickDecimals } from "@/charts/ticks";

export interface RateScale {
  isLog: boolean;
  /** In positions. */
  domain: [number, number];
  /** Returns the position of a value. */
  at: (value: number) => number;
  /** Returns the positions of at most so many ticks, and so one. */
  ticks: (most: number) => number[];
  /** The text of a tick. */
  format: (position: number, ticks: readonly number[], inShort?: (value: number) => string) => string;
}

/** From this ratio of the largest to the smallest median on, the scale is logarithmic. */
const LOG_FROM = 200;

export function rateScale(model: Pick<ChartModel, "cells">, axis: Axis, isZoomed: boolean): RateScale {
  const summaries = model.cells.flatMap((cell) => summaryOf(cell, axis.metric) ?? []);
  const medians = summaries.flatMap(({ median }) => median ?? []);
  const [low, high] = [Math.min(...medians), Math.max(...medians)];
  if (medians.length > 1 && low > 0 && high / low > LOG_FROM) {
    const positive = summaries.flatMap(({ values }) => values).filter((value): value is number => value !== null && value > 0);
    return logarithmic(Math.min(low, ...positive), Math.max(high, ...positive));
  }
  const isEmpty = medians.length === 0;
  const [from, to] = isZoomed ? axis.zoom : axis.domain;
  const domain: [number, number] = to > from ? [from, to] : [Math.min(0, from), Math.max(1, from)];
  return {
    isLog: false,
    domain,
    at: (value) => value,
    ticks: (most) => (isEmpty ? [] : niceTicks(domain, most)),
    format: (position, ticks, inShort) => inShort?.(position) ?? formatNumber(position, tickDecimals(ticks)),
  };
}

function logarithmic(low: number, high: number): RateScale {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  return {
    isLog: true,
    domain: [first, last],
    at: (value) => (value > 0 ? Math.log10(value) : first),
    ticks: (most) => {
      const step = Math.max(1, Math.ceil((last - first) / most));
      return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => first + index * step);
    },
    format: (position, _ticks, inShort = formatSignificant) => inShort(10 ** position),
  };
}

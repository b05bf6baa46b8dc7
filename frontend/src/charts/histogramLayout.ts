/** The latency histogram of one trial: the tool's bins, merged where there are too many. */

const MAX_BARS = 48;

export interface HistogramBar {
  /** The bin's bounds in µs: above `low`, up to `high`. */
  low: number;
  high: number;
  count: number;
  /** Percentage of all operations. */
  percent: number;
}

/** Returns bars from (upper bound in µs, count), without empty bins at both ends. */
export function histogramBars(histogram: readonly (readonly [number, number])[]): HistogramBar[] {
  const bins = [...histogram].sort(([a], [b]) => a - b).map(([high, count], index, all) => ({ low: all[index - 1]?.[0] ?? 0, high, count }));
  const first = bins.findIndex(({ count }) => count > 0);
  const last = bins.findLastIndex(({ count }) => count > 0);
  if (first < 0) return [];
  const kept = bins.slice(first, last + 1);
  const all = kept.reduce((sum, { count }) => sum + count, 0);
  const size = Math.ceil(kept.length / MAX_BARS);
  return Array.from({ length: Math.ceil(kept.length / size) }, (_, index) => {
    const part = kept.slice(index * size, (index + 1) * size);
    const count = part.reduce((sum, bin) => sum + bin.count, 0);
    return { low: part[0]?.low ?? 0, high: part.at(-1)?.high ?? 0, count, percent: (100 * count) / all };
  });
}

/** "850 µs", "1.25 ms", "2 s". */
export function formatMicros(value: number): string {
  const [divisor, unit] = value < 1000 ? [1, "µs"] : value < 1_000_000 ? [1000, "ms"] : [1_000_000, "s"];
  return `${Number((value / divisor).toPrecision(3))} ${unit}`;
}

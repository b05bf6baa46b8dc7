/** Latency by percentile on a logarithmic axis: p90, p99 and p99.9 are at equal distances. */

export interface PercentilePoint {
  /** −log10(1 − share): 1 is p90, 2 is p99. */
  nines: number;
  /** Percentage of the operations with at most this latency. */
  percent: number;
  ms: number;
}

/** The metrics with percentiles that the tool reported. */
const REPORTED = [
  { metric: "open_latency_p50_ms", percent: 50 },
  { metric: "open_latency_p90_ms", percent: 90 },
  { metric: "open_latency_p99_ms", percent: 99 },
  { metric: "open_latency_p999_ms", percent: 99.9 },
] as const;

const OPEN = "open_latency_";
const MAX = `${OPEN}max_ms`;
const TICKS = [50, 90, 99, 99.9, 99.99, 99.999];

/** Whether latency was measured from the scheduled start of each operation. */
export function isOpenLoop(metrics: Readonly<Record<string, number>>): boolean {
  return Object.keys(metrics).some((name) => name.startsWith(OPEN));
}

export function ninesOf(percent: number): number {
  return -Math.log10(1 - percent / 100);
}

/** Returns the cumulative curve of the tool's bins; its last point is at n / (n + 1), so that its position is finite. */
export function percentileCurve(histogram: readonly (readonly [number, number])[]): PercentilePoint[] {
  const bins = [...histogram].sort(([a], [b]) => a - b).filter(([, count]) => count > 0);
  const all = bins.reduce((sum, [, count]) => sum + count, 0);
  let below = 0;
  return bins.map(([upper, count]) => {
    below += count;
    const share = Math.min(below / all, 1 - 1 / (all + 1));
    return { nines: -Math.log10(1 - share), percent: (100 * below) / all, ms: upper / 1000 };
  });
}

/** Returns the percentiles that the trial's metrics contain. */
export function reportedPercentiles(metrics: Readonly<Record<string, number>>): PercentilePoint[] {
  return REPORTED.flatMap(({ metric, percent }) => {
    const ms = metrics[metric];
    return ms === undefined ? [] : [{ nines: ninesOf(percent), percent, ms }];
  });
}

const ESTIMATED = [50, 90, 99];

/** Returns percentiles estimated from a curve, for a trial whose metrics contain none. */
export function percentilesOf(curve: readonly PercentilePoint[]): PercentilePoint[] {
  return ESTIMATED.flatMap((percent) => {
    const point = curve.find((each) => each.percent >= percent);
    return point ? [{ ...point, percent }] : [];
  });
}

export function reportedMax(metrics: Readonly<Record<string, number>>): number | null {
  return metrics[MAX] ?? null;
}

/** Returns the ticks of an axis that ends at `nines`. */
export function percentileTicks(nines: number): { nines: number; label: string }[] {
  return TICKS.filter((percent) => ninesOf(percent) <= nines + 1e-9).map((percent) => ({ nines: ninesOf(percent), label: `p${percent}` }));
}

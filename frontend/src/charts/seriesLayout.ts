/** Time series of one trial, reduced to as many points as a chart can draw. */
import type { CpuPoint, SecondPoint } from "@/api/generated";
import { ROLES, type RoleName } from "@/theme/palette";

const MAX_POINTS = 600;

interface CpuSample {
  t: number;
  [role: string]: number;
}

/** Returns means over equal buckets, which keep the area under a stacked curve. */
function downsample<T extends { t: number }>(points: readonly T[], merge: (bucket: readonly T[]) => T): T[] {
  if (points.length <= MAX_POINTS) return [...points];
  const size = Math.ceil(points.length / MAX_POINTS);
  return Array.from({ length: Math.ceil(points.length / size) }, (_, index) => merge(points.slice(index * size, (index + 1) * size)));
}

export function seriesRoles(points: readonly CpuPoint[]): RoleName[] {
  return ROLES.map(({ role }) => role).filter((role) => points.some((point) => (point.cores[role] ?? 0) > 0));
}

export function cpuSamples(points: readonly CpuPoint[]): CpuSample[] {
  const roles = seriesRoles(points);
  const flat = points.map((point): CpuSample => {
    const sample: CpuSample = { t: point.t };
    for (const role of roles) sample[role] = Math.max(0, point.cores[role] ?? 0);
    return sample;
  });
  return downsample(flat, (bucket) => {
    const merged: CpuSample = { t: bucket[0]?.t ?? 0 };
    for (const role of roles) merged[role] = bucket.reduce((sum, sample) => sum + (sample[role] ?? 0), 0) / bucket.length;
    return merged;
  });
}

export function rateSamples(points: readonly SecondPoint[]): { t: number; rate: number }[] {
  return downsample(
    points.map(({ t, rate }) => ({ t, rate })),
    (bucket) => ({ t: bucket[0]?.t ?? 0, rate: bucket.reduce((sum, point) => sum + point.rate, 0) / bucket.length }),
  );
}

/** Repeats the first sample at time 0: a sample is the mean of the time before it. */
export function fromZero(samples: readonly CpuSample[]): CpuSample[] {
  const [first] = samples;
  return first && first.t > 0 ? [{ ...first, t: 0 }, ...samples] : [...samples];
}

/** Returns the largest sum of the roles at any time. */
export function stackedMaximum(samples: readonly CpuSample[]): number {
  const sum = (sample: CpuSample) => Object.entries(sample).reduce((all, [role, value]) => (role === "t" ? all : all + value), 0);
  return samples.reduce((max, sample) => Math.max(max, sum(sample)), 0);
}

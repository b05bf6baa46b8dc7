/** The SVG paths of a sparkline: one segment per group, evenly spaced, y from zero. */
export interface SparkValue {
  group: string;
  value: number;
}

interface Spark {
  /** The paths of all groups but the last, and of the last. */
  before: string;
  now: string;
  last: { x: number; y: number } | null;
}

/** The line has at least this many positions, so that its first points do not move. */
const SPAN = 30;
const EDGE = 4;

export function sparkLayout(values: readonly SparkValue[], width: number, height: number): Spark {
  const top = Math.max(...values.map(({ value }) => value), Number.MIN_VALUE) * 1.08;
  const step = (width - 2 * EDGE) / (Math.max(values.length, SPAN) - 1);
  const points = values.map(({ group, value }, index) => ({
    group,
    x: Number((EDGE + index * step).toFixed(1)),
    y: Number((height - (value / top) * (height - EDGE)).toFixed(1)),
  }));
  const current = values.at(-1)?.group;
  const path = (keep: (group: string) => boolean) =>
    points
      .filter(({ group }) => keep(group))
      // A segment of one point gets a hair of length, so that its round cap is drawn.
      .map(({ group, x, y }, index, all) => (all[index - 1]?.group === group ? `L${x} ${y}` : `M${x} ${y}h0.01`))
      .join("");
  const last = points.at(-1);
  return { before: path((group) => group !== current), now: path((group) => group === current), last: last ? { x: last.x, y: last.y } : null };
}

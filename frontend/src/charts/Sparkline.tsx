import { sparkLayout, type SparkValue } from "./sparkLayout";

interface Props {
  values: readonly SparkValue[];
  width: number;
  height: number;
  label: string;
}

/** A line chart from zero without axes, as plain SVG: pages with live figures load no chart library. */
export function Sparkline({ values, width, height, label }: Props) {
  const { before, now, last } = sparkLayout(values, width, height);
  const line = { fill: "none", strokeWidth: 1.75, strokeLinejoin: "round", strokeLinecap: "round" } as const;
  return (
    <svg width={width} height={height} role="img" aria-label={label}>
      <path d={`M0 ${height - 0.5}H${width}`} stroke="var(--line-strong)" />
      <path d={before} {...line} stroke="var(--ink-3)" opacity={0.65} />
      <path d={now} {...line} stroke="var(--accent)" />
      {last && <circle cx={last.x} cy={last.y} r={3} fill="var(--accent)" />}
    </svg>
  );
}

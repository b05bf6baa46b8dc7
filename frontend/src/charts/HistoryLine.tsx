import type { HistoryChange, HistorySeries } from "@/api/generated";
import { historyLine } from "./historyLayout";

interface Props {
  points: HistorySeries["points"];
  times: readonly number[];
  changes: readonly HistoryChange[];
  /** The indices of runs before which the environment changed. */
  marks: readonly number[];
  width: number;
  height: number;
}

/** One cell over time as a small line, with its changes; decorative, as the figures are beside it. */
export function HistoryLine({ points, times, changes, marks, width, height }: Props) {
  const line = historyLine(points, times, changes, marks, width, height);
  const last = line.dots.at(-1);
  return (
    <svg width={width} height={height} aria-hidden="true">
      {line.changes.map(({ x, from, to }) => (
        <rect key={x} x={from} y={0} width={Math.max(2, to - from)} height={height} fill="var(--warn-soft)" />
      ))}
      {line.marks.map((x) => (
        <path key={x} d={`M${x} ${height - 5}V${height}`} stroke="var(--ink-3)" strokeWidth={1.5} />
      ))}
      <path d={line.path} fill="none" stroke="var(--ink-3)" strokeWidth={1.5} strokeLinejoin="round" />
      {line.changes.map(({ x }) => (
        <path key={x} d={`M${x} 0V${height}`} stroke="var(--warn)" strokeWidth={1.5} strokeDasharray="3 2" />
      ))}
      {last && <circle cx={last.x} cy={last.y} r={3} fill="var(--accent)" />}
    </svg>
  );
}

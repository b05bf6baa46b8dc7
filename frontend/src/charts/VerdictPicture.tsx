import type { RunVerdict } from "@/api/generated";
import { messages } from "@/messages";
import { verdictPicture, WIDTH } from "./verdictPictureLayout";
import styles from "./VerdictPicture.module.css";

const t = messages("library");

/** A run's comparisons in small: ratio and interval of each cell, with a line at the baseline. Filled marks are clear differences; a triangle at the end is one from or to zero. */
export function VerdictPicture({ verdict }: { verdict: RunVerdict }) {
  const { height, baseline, rows } = verdictPicture(verdict.cells);
  if (rows.length === 0) return null;
  return (
    <svg className={styles.picture} width={WIDTH} height={height} viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={t("picture", { count: rows.length, all: verdict.compared - (verdict.without_ratio ?? 0) })}>
      <line className={styles.baseline} x1={baseline} x2={baseline} y1={0} y2={height} />
      {rows.map(({ id, x, y, low, high, beyond, tone }) => (
        <g key={id} className={styles.row} data-tone={tone}>
          {low !== null && high !== null && <line x1={low} x2={high} y1={y} y2={y} />}
          {beyond === 0 ? <circle cx={x} cy={y} r={2.6} /> : <path d={`M${x - 2.6 * beyond} ${y - 3}L${x + 3.4 * beyond} ${y}L${x - 2.6 * beyond} ${y + 3}Z`} />}
        </g>
      ))}
    </svg>
  );
}

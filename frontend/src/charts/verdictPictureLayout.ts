/** The geometry of the small picture of a run's verdict: a row per cell, on a logarithmic axis of ratios. Pure. */
import type { VerdictCell } from "@/api/generated";

export const WIDTH = 132;
export const ROW = 8;
const PAD = 6;
/** The axis reaches at least from 1/1.1 to 1.1, so that small differences are drawn small. */
const LEAST = Math.log(1.1);

export interface PictureRow {
  id: string;
  y: number;
  x: number;
  low: number | null;
  high: number | null;
  /** Where a difference from or to zero, which no ratio reaches, goes beyond the axis; 0 for a mark on it. */
  beyond: -1 | 0 | 1;
  tone: "good" | "bad" | "quiet";
}

export interface Picture {
  height: number;
  baseline: number;
  rows: PictureRow[];
}

/** Returns the rows of the compared cells, and where the ratio 1 is. */
export function verdictPicture(cells: readonly VerdictCell[]): Picture {
  const drawn = cells.filter(({ ratio, difference }) => (ratio !== null && ratio > 0) || difference);
  const logs = drawn.flatMap(({ ratio, low, high }) => [ratio, low, high]).flatMap((value) => (value !== null && value > 0 ? [Math.log(value)] : []));
  const from = Math.min(-LEAST, ...logs);
  const to = Math.max(LEAST, ...logs);
  const place = (ratio: number) => PAD + ((Math.log(ratio) - from) / (to - from)) * (WIDTH - 2 * PAD);
  const placed = ({ ratio, low, high, difference }: VerdictCell): Pick<PictureRow, "x" | "low" | "high" | "beyond"> => {
    if (ratio === null) {
      const beyond = Math.sign(difference?.value ?? 0) as -1 | 0 | 1;
      return { x: beyond === 0 ? place(1) : beyond < 0 ? PAD : WIDTH - PAD, low: null, high: null, beyond };
    }
    return { x: place(ratio), low: low !== null && low > 0 ? place(low) : null, high: high !== null && high > 0 ? place(high) : null, beyond: 0 };
  };
  return {
    height: Math.max(1, drawn.length) * ROW + 4,
    baseline: place(1),
    rows: drawn.map((cell, index) => ({
      id: cell.cell_id,
      y: 2 + ROW * (index + 0.5),
      ...placed(cell),
      tone: cell.verdict === "better" ? "good" : cell.verdict === "worse" ? "bad" : "quiet",
    })),
  };
}

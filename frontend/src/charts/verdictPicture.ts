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
  tone: "good" | "bad" | "quiet";
}

export interface Picture {
  height: number;
  baseline: number;
  rows: PictureRow[];
}

/** Returns the rows of the cells that have a ratio, and where the ratio 1 is. */
export function verdictPicture(cells: readonly VerdictCell[]): Picture {
  const drawn = cells.filter(({ ratio }) => ratio !== null && ratio > 0);
  const logs = drawn.flatMap(({ ratio, low, high }) => [ratio, low, high]).flatMap((value) => (value !== null && value > 0 ? [Math.log(value)] : []));
  const from = Math.min(-LEAST, ...logs);
  const to = Math.max(LEAST, ...logs);
  const place = (ratio: number) => PAD + ((Math.log(ratio) - from) / (to - from)) * (WIDTH - 2 * PAD);
  return {
    height: Math.max(1, drawn.length) * ROW + 4,
    baseline: place(1),
    rows: drawn.map((cell, index) => ({
      id: cell.cell_id,
      y: 2 + ROW * (index + 0.5),
      x: place(cell.ratio!),
      low: cell.low !== null && cell.low > 0 ? place(cell.low) : null,
      high: cell.high !== null && cell.high > 0 ? place(cell.high) : null,
      tone: cell.verdict === "better" ? "good" : cell.verdict === "worse" ? "bad" : "quiet",
    })),
  };
}

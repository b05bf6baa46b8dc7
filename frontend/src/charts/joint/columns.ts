/** The columns of the joint chart in pixels. Pure. */
import { charactersOf } from "@/charts/textWidth";
import type { JointLayout } from "./jointLayout";
import { changeOf } from "@/components/outcome";

const GAP = 14;
const CHARACTER = 7.3;
/** Of the width, the names have at most this part. */
const MOST_NAMES = 0.26;
const CHANGE = 74;
/** Of a value that is not measured yet. */
const AWAITED = 62;
/** The least width of a plot beside the names. */
const PLOT = 120;

export interface Columns {
  /** The widths as tracks of a grid with GAP between them. */
  tracks: string;
  /** The room of a name. */
  name: number;
  rate: { left: number; width: number };
  cpu: { left: number; width: number };
  /** Whether the plots have their least width: else a cell's name is above its plots. */
  fits: boolean;
}

function widest(texts: readonly string[], least: number, most: number): number {
  const characters = texts.reduce((longest, text) => Math.max(longest, charactersOf(text)), 0);
  return Math.round(Math.min(most, Math.max(least, characters * CHARACTER + 2)));
}

/** Returns the columns: names, throughput with its figures, CPU with its figure; the two plots are equally wide. */
export function placeColumns({ lines, cpu, isProvisional, hasChanges }: JointLayout, width: number, isNarrow: boolean, head: number): Columns {
  if (isNarrow) {
    const plot = cpu.isMeasured ? Math.floor((width - GAP) / 2) : width;
    return { tracks: `${plot}px ${width - plot - GAP}px`, name: width * 0.5, rate: { left: 0, width: plot }, cpu: { left: plot + GAP, width: width - plot - GAP }, fits: true };
  }
  const cells = lines.filter(({ kind }) => kind === "cell");
  const name = widest(cells.map(({ name: text }) => text), 60, width * MOST_NAMES);
  const hasLevels = cells.some(({ level }) => level !== "");
  const level = hasLevels ? 16 + widest([...cells.map(({ level: text }) => text), "m".repeat(Math.min(8, head / 2))], 20, width * 0.14) : 0;
  const value = widest(cells.map(({ value: text }) => text), isProvisional ? AWAITED : 44, 110);
  const change = hasChanges ? Math.max(CHANGE, widest(cells.map(({ comparison }) => (comparison ? changeOf(comparison) : "")), 0, 110)) : 0;
  const cores = cpu.isMeasured ? 48 : 0;
  const fixed = name + level + value + change + cores + 6 * GAP;
  const room = Math.floor((width - fixed) / (cpu.isMeasured ? 2 : 1));
  const plot = Math.max(PLOT, room);
  const second = cpu.isMeasured ? plot : 0;
  const left = name + level + 2 * GAP;
  const afterRate = left + plot + value + change + 3 * GAP;
  return {
    tracks: [name, level, plot, value, change, second, cores].map((each) => `${each}px`).join(" "),
    name,
    rate: { left, width: plot },
    cpu: { left: afterRate, width: second },
    fits: room >= PLOT,
  };
}

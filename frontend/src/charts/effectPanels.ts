/** Splits comparisons between an axis of ratios and, where a value is zero, one of differences in their unit. Pure. */
import type { Difference, Interval } from "@/api/generated";
import { errorOf, extent, intervalMarks, niceDomain, type IntervalMark, type IntervalRow } from "./intervalLayout";
import type { ChartMark } from "./frame/ChartMarks";

/** A comparison before it is placed: in which row, and how far below the row's top. */
export interface EffectMark extends Omit<IntervalMark, "x" | "y" | "row" | "error"> {
  ratio: number | null;
  interval: Interval | null;
  difference?: Difference | null | undefined;
  below: number;
}

export interface EffectRow {
  key: string;
  label: string;
  marks: EffectMark[];
}

export interface EffectPanel {
  height: number;
  rows: IntervalRow[];
  marks: IntervalMark[];
  domain: [number, number];
  /** The value that means no difference; `band` is the margin around it, and a difference has none. */
  rule: number;
  band?: [number, number];
  /** The unit of differences. */
  unit?: string;
}

/** Beyond so many times the largest estimate, an interval of a ratio is cut at the end of the axis. */
const REACH = 3;

/** Returns the ratios that are equivalent; symmetric for swapping both sides. */
export function marginBand(margin: number): [number, number] {
  return [1 / (1 + margin), 1 + margin];
}

/** Returns the panel of ratios, if any row has one, and below it that of the rows with a difference. */
export function effectPanels(rows: readonly EffectRow[], size: number, margin: number): EffectPanel[] {
  const apart = rows.filter(({ marks }) => marks.some(({ difference }) => difference));
  const compared = rows.filter((row) => !apart.includes(row) && row.marks.some(({ ratio }) => ratio !== null));
  const band = marginBand(margin);
  const panels: EffectPanel[] = [];
  if (compared.length > 0) panels.push(panel(compared, size, 1, ratioDomain(compared, band), band));
  if (apart.length > 0) {
    const shown = apart.flatMap(({ marks }) => marks.flatMap(({ difference }) => (difference ? [difference] : [])));
    const domain = niceDomain(extent(shown), 0);
    panels.push({ ...panel(apart, size, 0, domain), unit: shown[0]?.unit ?? "" });
  }
  return panels;
}

/** Returns the marks of all panels for the keyboard. */
export function panelMarks(panels: readonly EffectPanel[]): ChartMark[] {
  return panels.flatMap(({ marks }, index) => intervalMarks(marks).map((mark) => ({ ...mark, group: `${index} ${mark.group}` })));
}

/** Returns an axis on which the estimates stay apart: an interval that reaches far beyond them is cut at its ends. */
function ratioDomain(rows: readonly EffectRow[], band: [number, number]): [number, number] {
  const marks = rows.flatMap((row) => row.marks.filter(({ ratio }) => ratio !== null));
  const most = REACH * Math.max(...band, ...marks.map(({ ratio }) => ratio ?? 1));
  const ends = extent(marks.map(({ ratio, interval }) => ({ value: ratio, interval })));
  return niceDomain([...ends.map((end) => Math.min(end, most)), ...band], 1);
}

function panel(rows: readonly EffectRow[], size: number, rule: number, domain: [number, number], band?: [number, number]): EffectPanel {
  return {
    height: Math.max(1, rows.length) * size,
    rows: rows.map(({ key, label }, row) => ({ key, label, top: row * size, y: (row + 0.5) * size })),
    marks: rows.flatMap(({ marks }, row) =>
      marks.flatMap(({ ratio, interval, difference, below, ...mark }) => {
        const [x, ends] = rule === 1 ? [ratio, interval] : [difference?.value ?? null, difference?.interval ?? null];
        return x === null ? [] : [{ ...mark, row, x, y: row * size + below, error: errorOf(x, ends, domain) }];
      }),
    ),
    domain,
    rule,
    ...(band && { band }),
  };
}

/** The layout of the pivot as small charts: one per panel and column, with a row per level. Pure. */
import type { Axis, ChartModel } from "@/api/generated";
import { formatEffect } from "@/components/effect";
import { formatInterval, formatNumber } from "@/components/format";
import { errorOf, type IntervalMark, type IntervalRow } from "@/charts/intervalLayout";
import { axisEnd } from "@/charts/roleLayout";
import { messages } from "@/messages";
import type { PivotChoice } from "./pivotChoice";
import { titled, type Pivot, type PivotEntry } from "./pivotLayout";

const t = messages("charts");

const LANE = 18;
const GAP = 10;

interface Facet {
  key: string;
  title: string;
  domain: [number, number];
  marks: IntervalMark[];
  /** The baseline's median, where all cells of this chart share one baseline. */
  rule: number | undefined;
  /** The number of cells without a figure. */
  missing: number;
}

export interface FacetLayout {
  height: number;
  rows: IntervalRow[];
  facets: Facet[];
}

function markOf(entry: PivotEntry, row: number, y: number, axis: Axis): Omit<IntervalMark, "error"> | null {
  if (entry.summary?.median == null) return null;
  const unit = `${formatNumber(entry.summary.median, axis.decimals)} ${axis.unit}`;
  return {
    key: entry.cell.id,
    row,
    x: entry.summary.median,
    y,
    color: entry.color,
    shape: entry.shape,
    title: entry.cell.label,
    lines: [
      [t("medianLow"), unit],
      [t("interval95"), formatInterval(entry.summary.interval, axis.decimals)],
      [t("n"), String(entry.summary.n)],
      ...(entry.comparison ? [[t("ratioToBaseline"), formatEffect(entry.comparison)] as const] : []),
    ],
  };
}

function baselineOf(model: ChartModel, entries: readonly PivotEntry[], metric: string): number | undefined {
  const ids = new Set(entries.map(({ cell, comparison }) => comparison?.baseline_id ?? (cell.is_baseline ? cell.id : null)).filter((id) => id !== null));
  const [only] = ids;
  return ids.size === 1 ? (model.cells.find(({ id }) => id === only)?.summaries[metric]?.median ?? undefined) : undefined;
}

export function facetLayout(model: ChartModel, found: Pivot, choice: PivotChoice, axis: Axis): FacetLayout {
  let y = GAP / 2;
  const rows = found.rows.map((level, row) => {
    const lanes = Math.max(1, ...found.panels.flatMap((panel) => panel.entries[row]?.map((entries) => entries.length) ?? []));
    const top = y;
    y += lanes * LANE + GAP;
    return { key: level, label: level, y: top + (lanes * LANE) / 2, top };
  });
  const facets = found.panels.flatMap((panel) =>
    found.columns.flatMap((column, index): Facet[] => {
      const entries = panel.entries.map((line) => line[index] ?? []);
      const all = entries.flat();
      if (all.length === 0) return [];
      const marks = entries.flatMap((lane, row) => lane.flatMap((entry, place) => markOf(entry, row, (rows[row]?.top ?? 0) + (place + 0.5) * LANE, axis) ?? []));
      const rule = baselineOf(model, all, axis.metric);
      // The baseline may be in another chart; its rule must be inside this domain too.
      const most = Math.max(0, rule ?? 0, ...all.flatMap(({ summary }) => [summary?.median ?? 0, summary?.interval?.high ?? 0]));
      const domain: [number, number] = choice.sameScale ? [axis.domain[0], axis.domain[1]] : [0, axisEnd(most)];
      const interval = (id: string) => all.find(({ cell }) => cell.id === id)?.summary?.interval ?? null;
      return [
        {
          key: JSON.stringify([panel.level, column]),
          title: [panel.title, titled(choice.columns, column)].filter(Boolean).join(" · "),
          domain,
          marks: marks.map((mark) => ({ ...mark, error: errorOf(mark.x, interval(mark.key), domain) })),
          rule,
          missing: all.length - marks.length,
        },
      ];
    }),
  );
  return { height: y - GAP / 2, rows: rows.map((row) => ({ ...row, top: row.top - GAP / 2 })), facets };
}

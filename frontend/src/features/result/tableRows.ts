/** The rows of the result table: the model's figures for one metric, in the chosen order. */
import type { Axis, ChartCell, ChartModel, Comparison, Summary } from "@/api/generated";
import { summaryOf } from "@/api/states";
import { formatEffect, formatEffectInterval } from "@/components/effect";
import { formatInterval, formatNumber, formatP, formatRatio } from "@/components/format";
import { withoutFigure, type StateLabel } from "@/components/stateLabels";
import { publishedMetric } from "@/charts/dotLayout";
import { grouped } from "@/charts/rowGroups";
import { serverText } from "@/components/serverText";
import { messages } from "@/messages";

const t = messages("result");

/** Fewer cells than this have no headings. */
const FEW = 14;
/** Beyond the logarithm of every ratio. */
const FAR = 1000;

export type Order = "plan" | "effect" | "noise";

export interface ResultRow {
  cell: ChartCell;
  summary: Summary | null;
  comparison: Comparison | null;
  /** "9 / 10": the trials with a proven path of those with evidence. */
  evidence: string;
  /** Shown where there are no figures. */
  label: StateLabel;
}

function evidence(cell: ChartCell): string {
  const { proven, not_proven, contradicted } = cell.evidence;
  const all = proven + not_proven + contradicted;
  return all === 0 ? "–" : `${proven} / ${all}`;
}

function sortKey(row: ResultRow, order: Order): number {
  const { comparison, summary } = row;
  if (order === "noise") return summary?.cv_percent ?? -1;
  // A difference is from or to zero, and so beyond every ratio.
  if (comparison?.difference) return FAR + Math.abs(comparison.difference.value);
  return comparison?.ratio ? Math.abs(Math.log(comparison.ratio)) : -1;
}

/** Returns the rows by group where they are in plan order and many; else one group. */
export function resultGroups(model: ChartModel, axis: Axis, order: Order): { group: string; rows: ResultRow[] }[] {
  const rows = resultRows(model, axis, order);
  if (order !== "plan" || model.cells.length < FEW) return [{ group: "", rows }];
  return grouped(rows, (row) => row.cell).map(({ group, items }) => ({ group, rows: items }));
}

/** Returns the study's figure in the unit of the axis. */
export function publishedValue(cell: ChartCell, axis: Axis): number | null {
  return cell.published?.values[axis.metric] ?? null;
}

/** Returns the study's ratio, if it is a ratio of this axis' metric. */
export function publishedRatio(model: ChartModel, cell: ChartCell, axis: Axis): number | null {
  return axis.metric === publishedMetric(model) ? (cell.published?.ratio ?? null) : null;
}

export function resultRows(model: ChartModel, axis: Axis, order: Order): ResultRow[] {
  const rows = model.cells.map((cell): ResultRow => {
    const summary = summaryOf(cell, axis.metric);
    return { cell, summary, comparison: summary ? (cell.comparisons[axis.metric] ?? null) : null, evidence: evidence(cell), label: withoutFigure(cell, model.origin) };
  });
  return order === "plan" ? rows : rows.sort((a, b) => sortKey(b, order) - sortKey(a, order));
}

/** Whether cells can be sorted by their variation, which a very large result omits for some metrics. */
export function hasVariation(model: ChartModel, axis: Axis): boolean {
  return model.cells.some((cell) => summaryOf(cell, axis.metric)?.cv_percent != null);
}

/** Returns the rows as a Markdown table. */
export function resultMarkdown(model: ChartModel, axis: Axis, order: Order): string {
  const lines = resultRows(model, axis, order).map(({ cell, summary, comparison, evidence: proven, label }) => {
    const figures = summary
      ? [
          String(summary.n),
          formatNumber(summary.median, axis.decimals),
          formatInterval(summary.interval, axis.decimals),
          comparison ? `${formatEffect(comparison)} (${formatEffectInterval(comparison) || "–"})` : t("baseline"),
          formatP(comparison?.p_adjusted),
          comparison ? serverText(comparison.sentence, comparison.message) : "",
        ]
      : ["", "", "", "", "", label.word + (cell.reason ? `: ${serverText(cell.reason, cell.reason_message)}` : "")];
    return [cell.label, ...figures, proven, formatRatio(publishedRatio(model, cell, axis))];
  });
  const head = [t("mdCell"), t("n"), t("mdMedian", { metric: axis.metric, unit: axis.unit }), t("interval95"), t("mdRatio"), t("adjustedP"), t("mdVerdict"), t("provenOf"), t("mdPublished")];
  const row = (cells: readonly string[]) => `| ${cells.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`;
  return [t("mdHead", { count: model.rounds_complete, title: model.title, seed: String(model.seed), n: formatNumber(model.rounds_complete) }), "", row(head), row(head.map(() => "---")), ...lines.map(row)].join("\n");
}

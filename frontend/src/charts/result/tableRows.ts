/** The rows of the result table: the model's figures for one metric, in the chosen order. */
import type { Axis, ChartCell, ChartModel, Comparison, Summary } from "@/api/chart";
import { formatInterval, formatNumber, formatP, formatRatio } from "@/components/format";
import { CELL_STATES } from "@/components/states";
import { drawnSummary } from "@/charts/dotLayout";

export type Order = "plan" | "effect" | "noise";

export interface ResultRow {
  cell: ChartCell;
  summary: Summary | null;
  comparison: Comparison | null;
  /** "9 / 10": trials whose path is proven, of those that ended. */
  evidence: string;
}

function evidence(cell: ChartCell): string {
  const { proven, not_proven, contradicted } = cell.evidence;
  const all = proven + not_proven + contradicted;
  return all === 0 ? "–" : `${proven} / ${all}`;
}

function weight(row: ResultRow, order: Order): number {
  if (order === "effect") return row.comparison?.ratio ? Math.abs(Math.log(row.comparison.ratio)) : -1;
  return row.summary?.cv_percent ?? -1;
}

export function resultRows(model: ChartModel, axis: Axis, order: Order): ResultRow[] {
  const rows = model.cells.map((cell): ResultRow => {
    const summary = drawnSummary(cell, axis.metric);
    return { cell, summary, comparison: summary ? (cell.comparisons[axis.metric] ?? null) : null, evidence: evidence(cell) };
  });
  return order === "plan" ? rows : rows.sort((a, b) => weight(b, order) - weight(a, order));
}

/** The same rows as a Markdown table, for a ticket or a post. */
export function resultMarkdown(model: ChartModel, axis: Axis, order: Order): string {
  const lines = resultRows(model, axis, order).map(({ cell, summary, comparison, evidence: proven }) => {
    const figures = summary
      ? [
          String(summary.n),
          formatNumber(summary.median, axis.decimals),
          formatInterval(summary.interval, axis.decimals),
          comparison ? `${formatRatio(comparison.ratio)} (${formatInterval(comparison.interval, 3)})` : "baseline",
          formatP(comparison?.p_holm),
          comparison?.sentence ?? "",
        ]
      : ["", "", "", "", "", CELL_STATES[cell.state].word + (cell.reason ? `: ${cell.reason}` : "")];
    return [cell.label, ...figures, proven, formatRatio(cell.published?.ratio)];
  });
  const head = ["cell", "n", `median ${axis.metric} (${axis.unit})`, "95 % interval", "ratio (95 % interval)", "p (Holm)", "verdict", "proven", "published ratio"];
  const row = (cells: readonly string[]) => `| ${cells.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`;
  return [`**${model.title}** (seed ${model.seed}, ${model.rounds_complete} rounds)`, "", row(head), row(head.map(() => "---")), ...lines.map(row)].join("\n");
}

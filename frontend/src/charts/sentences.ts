/** One sentence a chart, for those who do not see it: says again what the model holds. */
import type { Axis, ChartCell, ChartModel } from "@/api/chart";
import { formatNumber, plural } from "@/components/format";
import { drawnSummary } from "./dotLayout";
import { noFigure } from "./noFigure";
import type { RoleLayout, RoleUnit } from "./roleLayout";

export function dotSentence(cells: readonly ChartCell[], axis: Axis, origin: ChartModel["origin"]): string {
  if (cells.length === 0) return `Median ${axis.label}: no cell is shown.`;
  const parts = cells.map((cell) => {
    const summary = drawnSummary(cell, axis.metric);
    const told = summary ? `${formatNumber(summary.median, axis.decimals)} ${axis.unit} (n = ${summary.n})` : noFigure(cell, origin).word;
    return `${cell.label}: ${told}`;
  });
  return `Median ${axis.label} of ${plural(cells.length, "cell")}. ${parts.join("; ")}.`;
}

export function roleSentence(layout: RoleLayout, unit: RoleUnit, operation: string): string {
  const name = unit === "cores" ? "cores" : `µs per ${operation}`;
  if (layout.bars.length === 0) return `CPU by role in ${name}: no cell is shown.`;
  const parts = layout.bars.map(({ total, values, cell, told }) => {
    if (total === null) return `${cell.label}: ${told.word}`;
    const roles = layout.roles.map((role) => `${role} ${formatNumber(values[role] ?? 0, 2)}`);
    return `${cell.label}: ${formatNumber(total, 2)} used; ${roles.join(", ")}`;
  });
  return `CPU by role in ${name}. ${parts.join("; ")}.`;
}

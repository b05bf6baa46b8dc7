/** The figures of the charts as text, for screen readers. */
import type { Axis, ChartCell, ChartModel } from "@/api/generated";
import { summaryOf } from "@/api/states";
import { formatNumber, plural } from "@/components/format";
import { withoutFigure } from "@/components/stateLabels";
import type { RoleLayout, RoleUnit } from "./roleLayout";

export function dotSentence(cells: readonly ChartCell[], axis: Axis, origin: ChartModel["origin"]): string {
  if (cells.length === 0) return `Median ${axis.label}: no cell is shown.`;
  const parts = cells.map((cell) => {
    const summary = summaryOf(cell, axis.metric);
    const figure = summary ? `${formatNumber(summary.median, axis.decimals)} ${axis.unit} (n = ${summary.n})` : withoutFigure(cell, origin).word;
    return `${cell.label}: ${figure}`;
  });
  return `Median ${axis.label} of ${plural(cells.length, "cell")}. ${parts.join("; ")}.`;
}

export function roleSentence(layout: RoleLayout, unit: RoleUnit, operation: string): string {
  const name = unit === "cores" ? "cores" : `µs per ${operation}`;
  if (layout.bars.length === 0) return `CPU by role in ${name}: no cell is shown.`;
  const parts = layout.bars.map(({ total, values, cell, state }) => {
    if (total === null) return `${cell.label}: ${state.word}`;
    const roles = layout.roles.map((role) => `${role} ${formatNumber(values[role] ?? 0, 2)}`);
    return `${cell.label}: ${formatNumber(total, 2)} used; ${roles.join(", ")}`;
  });
  return `CPU by role in ${name}. ${parts.join("; ")}.`;
}

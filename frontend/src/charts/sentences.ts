/** One sentence a chart, for those who do not see it: says again what the model holds. */
import type { Axis, ChartModel } from "@/api/chart";
import { formatNumber, plural } from "@/components/format";
import { CELL_STATES } from "@/components/states";
import { drawnSummary } from "./dotLayout";
import type { RoleLayout, RoleUnit } from "./roleLayout";

export function dotSentence(model: ChartModel, axis: Axis): string {
  const parts = model.cells.map((cell) => {
    const summary = drawnSummary(cell, axis.metric);
    const told = summary ? `${formatNumber(summary.median, axis.decimals)} ${axis.unit} (n = ${summary.n})` : CELL_STATES[cell.state].word;
    return `${cell.label}: ${told}`;
  });
  return `Median ${axis.label} of ${plural(model.cells.length, "cell")}. ${parts.join("; ")}.`;
}

export function roleSentence(layout: RoleLayout, unit: RoleUnit): string {
  const name = unit === "cores" ? "cores" : "µs per transaction";
  const parts = layout.bars.map(({ label, sub, total, values, cell }) => {
    if (total === null) return `${label}, ${sub}: ${CELL_STATES[cell.state].word}`;
    const roles = layout.roles.map((role) => `${role} ${formatNumber(values[role] ?? 0, 2)}`);
    return `${label}, ${sub}: ${formatNumber(total, 2)} in all, of which ${roles.join(", ")}`;
  });
  return `CPU by role in ${name}. ${parts.join("; ")}.`;
}

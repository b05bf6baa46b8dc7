/** The figures of the charts as text, for screen readers. */
import type { Axis, ChartCell, ChartModel } from "@/api/generated";
import { summaryOf } from "@/api/states";
import { formatNumber } from "@/components/format";
import { metricLabel } from "@/components/metricLabels";
import { withoutFigure } from "@/components/stateLabels";
import { messages } from "@/messages";
import { roleName } from "./roleNames";
import type { RoleLayout, RoleUnit } from "./roleLayout";

const t = messages("charts");

export function dotSentence(cells: readonly ChartCell[], axis: Axis, origin: ChartModel["origin"]): string {
  if (cells.length === 0) return t("dotNone", { label: metricLabel(axis) });
  const parts = cells.map((cell) => {
    const summary = summaryOf(cell, axis.metric);
    const figure = summary ? t("dotFigure", { value: formatNumber(summary.median, axis.decimals), unit: axis.unit, n: formatNumber(summary.n) }) : withoutFigure(cell, origin).word;
    return t("cellIs", { cell: cell.label, figure });
  });
  return t("dotSentence", { count: cells.length, n: formatNumber(cells.length), label: metricLabel(axis), parts: parts.join("; ") });
}

export function roleSentence(layout: RoleLayout, unit: RoleUnit, operation: string): string {
  const name = unit === "cores" ? t("coresLow") : t("usPerLow", { operation });
  if (layout.bars.length === 0) return t("roleNone", { unit: name });
  const parts = layout.bars.map(({ total, values, cell, state }) => {
    if (total === null) return t("cellIs", { cell: cell.label, figure: state.word });
    const roles = layout.roles.map((role) => `${roleName(role)} ${formatNumber(values[role] ?? 0, 2)}`);
    return t("roleUsed", { cell: cell.label, total: formatNumber(total, 2), roles: roles.join(", ") });
  });
  return t("roleSentence", { unit: name, parts: parts.join("; ") });
}

/** The figures of the joint chart as text, for screen readers. */
import type { Axis, ChartModel } from "@/api/generated";
import { formatNumber } from "@/components/format";
import { metricLabel } from "@/components/metricLabels";
import { changeOf } from "@/components/outcome";
import { withoutFigure } from "@/components/stateLabels";
import { messages } from "@/messages";
import type { JointLayout } from "./jointLayout";

const t = messages("answer");

export function jointSentence({ lines, cpu }: JointLayout, axis: Axis, origin: ChartModel["origin"]): string {
  const label = metricLabel(axis);
  const parts = lines.flatMap(({ kind, cell, value, comparison, cores }) => {
    if (kind !== "cell" || !cell) return [];
    if (value === "") return [t("cellPart", { cell: cell.label, figure: withoutFigure(cell, origin).word })];
    const change = comparison ? changeOf(comparison) : "";
    const figures = [
      `${value} ${axis.unit}`.trim(),
      change,
      cores !== "" && t(cpu.hasProxy ? "coresShort" : "coresUsed", { n: cores }),
    ];
    return [t("cellPart", { cell: cell.label, figure: figures.filter(Boolean).join(", ") })];
  });
  if (parts.length === 0) return t("jointNone", { label });
  return t("jointSentence", { count: parts.length, n: formatNumber(parts.length), label, parts: parts.join("; ") });
}

/** The marks of the dot plot for the keyboard: of each lane its median, then its trials by value. */
import type { Axis } from "@/api/generated";
import { formatInterval, formatNumber } from "@/components/format";
import { messages } from "@/messages";
import { leftOutText, type Dot, type DotLayout } from "./dotLayout";
import type { ChartMark } from "./frame/ChartMarks";

const t = messages("charts");

interface Open {
  onTrial: ((cellId: string, round: number) => void) | undefined;
  onCell: ((cellId: string) => void) | undefined;
}

export function dotKey({ cellId, round }: Pick<Dot, "cellId" | "round">): string {
  return `${cellId} ${round}`;
}

export function dotMarks({ lanes, groups }: DotLayout, axis: Axis, { onTrial, onCell }: Open): ChartMark[] {
  const dots = Map.groupBy(groups.flatMap((group) => group.dots), (dot) => dot.cellId);
  return lanes.flatMap(({ cell, summary }): ChartMark[] => {
    if (!summary) return [];
    const group = cell.id;
    const figures = { cell: cell.label, value: formatNumber(summary.median, axis.decimals), unit: axis.unit, interval: formatInterval(summary.interval, axis.decimals), n: formatNumber(summary.n) };
    const trials = [...(dots.get(cell.id) ?? [])].sort((a, b) => a.x - b.x);
    return [
      { key: `${cell.id} median`, group, text: t("markMedian", figures), open: onCell && (() => onCell(cell.id)) },
      ...trials.map((dot) => ({
        key: dotKey(dot),
        group,
        text: dotText(dot, axis),
        open: onTrial && (() => onTrial(dot.cellId, dot.round)),
      })),
    ];
  });
}

function dotText({ label, round, x, leftOut }: Dot, axis: Axis): string {
  const values = { cell: label, round: formatNumber(round), value: formatNumber(x, axis.decimals), unit: axis.unit };
  return leftOut === null ? t("markDot", values) : t("markDotExcluded", { ...values, reason: leftOutText(leftOut) });
}

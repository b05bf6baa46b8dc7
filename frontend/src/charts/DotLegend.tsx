import type { ChartModel } from "@/api/generated";
import { seriesColor, seriesShape } from "@/theme/palette";
import { messages } from "@/messages";
import { legendLeftOut, type DotLayout } from "./dotLayout";
import { Legend, type LegendItem } from "./Legend";
import { TrialDot } from "./dotMarks";
import { Symbol } from "./Symbol";

const t = messages("charts");

/** The legend of the dot plot. */
export function DotLegend({ model, layout }: { model: ChartModel; layout: DotLayout }) {
  const items: LegendItem[] = [
    ...model.legend.map((entry) => ({
      key: entry.level,
      label: entry.label,
      sample: <Symbol shape={seriesShape(entry.shape)} cx={11} cy={7} size={9} fill={seriesColor(entry.color)} stroke={seriesColor(entry.color)} opacity={0.55} />,
    })),
    {
      key: "median",
      label: t("legendMedian"),
      sample: (
        <>
          <path d="M1 7H21M1 4V10M21 4V10" stroke="var(--ink)" strokeWidth={1.5} />
          <rect x={9.5} y={0} width={3.5} height={14} fill="var(--ink)" />
        </>
      ),
    },
  ];
  const dots = layout.groups.flatMap((group) => group.dots);
  if (dots.some((dot) => dot.unsteady))
    items.push({ key: "unsteady", label: t("legendUnsteady"), sample: <TrialDot cx={11} cy={7} payload={{ used: true, unsteady: true }} color="var(--ink-2)" shape="circle" /> });
  const leftOut = legendLeftOut(layout);
  if (leftOut !== null)
    items.push({ key: "left out", label: leftOut, sample: <TrialDot cx={11} cy={7} payload={{ used: false, unsteady: false }} color="var(--ink-2)" shape="circle" /> });
  if (layout.baselines.length > 0)
    items.push({ key: "baseline", label: t("legendBaseline"), sample: <path d="M0 7H22" stroke="var(--ink-2)" strokeWidth={1.5} strokeDasharray="5 3" /> });
  if (layout.published.length > 0)
    items.push({
      key: "published",
      label: t("legendPublished"),
      sample: <Symbol shape="diamond" cx={11} cy={7} size={10} fill="none" stroke="var(--ink-2)" />,
    });
  return <Legend items={items} />;
}

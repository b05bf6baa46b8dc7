import type { RunComparison, RunComparisonTable } from "@/api/generated";
import type { ImageHref } from "@/api/exports";
import { formatNumber, formatPercent } from "@/components/format";
import { messages } from "@/messages";
import { ChartFrame } from "./ChartFrame";
import { panelMarks } from "./effectPanels";
import { EffectRows } from "./EffectRows";
import { Legend } from "./Legend";
import { ratioLayout, ratioSentence } from "./ratioLayout";

const t = messages("charts");

interface Props {
  cross: RunComparisonTable;
  margin: number;
  basis: RunComparison["basis"];
  image?: ImageHref | undefined;
  /** The same figures as a table. */
  table: React.ReactNode;
}

/** A chart of each cell's ratio of run B to run A. */
export function RatioPlot({ cross, margin, basis, image, table }: Props) {
  const layout = ratioLayout(cross, margin, basis);
  if (layout.panels.length === 0) return null;
  const hasRatios = layout.panels.some(({ band }) => band);
  return (
    <ChartFrame
      title={t("ratioTitle")}
      note={t("ratioNote", { label: cross.label, unit: cross.unit, better: t(cross.better === "higher" ? "higherBetter" : "lowerBetter") })}
      sentence={ratioSentence(cross)}
      legend={
        <Legend
          items={[
            { key: "ratio", label: t(hasRatios ? "legendRatio" : "legendDifference"), sample: <><path d="M1 7H21M1 4V10M21 4V10" stroke="var(--ink)" strokeWidth={1.5} /><circle cx={11} cy={7} r={4} fill="var(--series-0)" /></> },
            ...(hasRatios ? [{ key: "margin", label: t("legendMargin", { margin: formatPercent(margin) }), sample: <rect width={22} height={14} fill="var(--accent)" opacity={0.16} /> }] : []),
          ]}
        />
      }
      caption={layout.hidden > 0 ? t("cellsInTable", { count: layout.hidden, n: formatNumber(layout.hidden) }) : undefined}
      marks={panelMarks(layout.panels)}
      chart={(width, active) => <EffectRows panels={layout.panels} width={width} active={active} axis={basis === "ratios" ? "differenceOfOwn" : "differenceBA"} />}
      table={table}
      image={image}
    />
  );
}

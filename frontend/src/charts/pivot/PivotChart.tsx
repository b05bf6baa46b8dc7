import { useState } from "react";
import { useNavigate } from "react-router";
import type { Axis, ChartModel } from "@/api/generated";
import { formatNumber } from "@/components/format";
import { metricLabel } from "@/components/metricLabels";
import { seriesColor, seriesShape } from "@/theme/palette";
import { useWidth } from "@/components/useWidth";
import { ChartMarks, type ChartMark } from "@/charts/frame/ChartMarks";
import { IntervalRows } from "@/charts/IntervalRows";
import { Legend } from "@/charts/Legend";
import { Symbol } from "@/charts/Symbol";
import { messages } from "@/messages";
import { facetLayout, type FacetLayout } from "./facetLayout";
import styles from "./Pivot.module.css";
import { factorName, type PivotChoice } from "./pivotChoice";
import type { Pivot } from "./pivotLayout";

const t = messages("charts");

interface Props {
  model: ChartModel;
  found: Pivot;
  choice: PivotChoice;
  axis: Axis;
  cellHref?: ((cellId: string) => string) | undefined;
}

const NARROWEST = 300;
const GAP = 16;
/** More charts than this are slow to draw. */
const MOST = 24;

/** The cells as small charts: a dot with its interval for each. */
export function PivotChart({ model, found, choice, axis, cellHref }: Props) {
  const navigate = useNavigate();
  const [active, setActive] = useState<number | null>(null);
  const [ref, width] = useWidth(720);
  const layout = facetLayout(model, found, choice, axis);
  const columns = Math.max(1, Math.min(layout.facets.length, Math.floor((width + GAP) / (NARROWEST + GAP))));
  const each = Math.floor((width - GAP * (columns - 1)) / columns);
  const marks = marksOf(layout, cellHref && ((cellId) => void navigate(cellHref(cellId))));
  const key = active === null ? null : (marks[active]?.key ?? null);
  const hidden = layout.facets.length - MOST;
  return (
    <div ref={ref} className={styles.plot}>
      {found.legend.length > 0 && (
        <Legend
          items={found.legend.map(({ label, color, shape }) => ({
            key: label,
            label,
            sample: <Symbol shape={seriesShape(shape)} cx={11} cy={7} size={9} fill={seriesColor(color)} stroke="var(--surface)" />,
          }))}
        />
      )}
      <div role="img" aria-label={sentence(layout, axis)} className={styles.facets} style={{ gridTemplateColumns: `repeat(${columns}, ${each}px)` }}>
        {layout.facets.slice(0, MOST).map((facet) => (
          <div key={facet.key}>
            <p className={styles.title}>
              {facet.title}
              {facet.missing > 0 && <span> {t("withoutFigure", { count: facet.missing, n: formatNumber(facet.missing) })}</span>}
            </p>
            <IntervalRows width={each} height={layout.height} rows={layout.rows} marks={facet.marks} domain={facet.domain} rule={facet.rule} active={key} />
          </div>
        ))}
      </div>
      <ChartMarks title={t("pivot")} marks={marks} active={active} onActive={setActive} />
      <p className={styles.caption}>
        {[
          t("facetCaption", { label: metricLabel(axis), unit: axis.unit, better: t(axis.better === "higher" ? "higherBetter" : "lowerBetter") }),
          !choice.sameScale && t("facetOwn"),
          found.differing.length > 0 && t(found.legend.length > 0 ? "facetDifferColour" : "facetDiffer", { factors: found.differing.map(factorName).join(", ") }),
          hidden > 0 && t("facetHidden", { count: hidden, n: formatNumber(hidden) }),
        ]
          .filter(Boolean)
          .join(" ")}
      </p>
    </div>
  );
}

/** The marks of the charts that are drawn, chart by chart. */
function marksOf({ facets }: FacetLayout, open: ((cellId: string) => void) | undefined): ChartMark[] {
  return facets.slice(0, MOST).flatMap((facet) =>
    facet.marks.map((mark) => ({
      key: mark.key,
      group: facet.key,
      text: t("markPivot", { cell: mark.title, figures: mark.lines.map(([name, value]) => `${name} ${value}`).join(", ") }),
      open: open && (() => open(mark.key)),
    })),
  );
}

function sentence({ facets }: FacetLayout, axis: Axis): string {
  const parts = facets.slice(0, MOST).map(({ title, marks }) => `${title || t("all")}: ${marks.map((mark) => `${mark.title} ${formatNumber(mark.x, axis.decimals)}`).join(", ") || t("noFigure")}`);
  return t("facetSentence", { count: facets.length, n: formatNumber(facets.length), label: metricLabel(axis), unit: axis.unit, parts: parts.join("; ") });
}

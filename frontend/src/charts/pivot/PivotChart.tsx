import type { Axis, ChartModel } from "@/api/generated";
import { formatNumber } from "@/components/format";
import { metricLabel } from "@/components/metricLabels";
import { seriesColor, seriesShape } from "@/theme/palette";
import { useWidth } from "@/components/useWidth";
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
}

const NARROWEST = 300;
const GAP = 16;
/** More charts than this are slow to draw. */
const MOST = 24;

/** The cells as small charts: a dot with its interval for each. */
export function PivotChart({ model, found, choice, axis }: Props) {
  const [ref, width] = useWidth(720);
  const layout = facetLayout(model, found, choice, axis);
  const columns = Math.max(1, Math.min(layout.facets.length, Math.floor((width + GAP) / (NARROWEST + GAP))));
  const each = Math.floor((width - GAP * (columns - 1)) / columns);
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
            <IntervalRows width={each} height={layout.height} rows={layout.rows} marks={facet.marks} domain={facet.domain} rule={facet.rule} />
          </div>
        ))}
      </div>
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

function sentence({ facets }: FacetLayout, axis: Axis): string {
  const parts = facets.slice(0, MOST).map(({ title, marks }) => `${title || t("all")}: ${marks.map((mark) => `${mark.title} ${formatNumber(mark.x, axis.decimals)}`).join(", ") || t("noFigure")}`);
  return t("facetSentence", { count: facets.length, n: formatNumber(facets.length), label: metricLabel(axis), unit: axis.unit, parts: parts.join("; ") });
}

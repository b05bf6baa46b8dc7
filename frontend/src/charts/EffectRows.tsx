import { unitOf } from "@/components/effect";
import { formatSigned } from "@/components/format";
import { messages } from "@/messages";
import type { EffectPanel } from "./effectPanels";
import { IntervalRows } from "./IntervalRows";
import styles from "./EffectRows.module.css";

const t = messages("charts");

/** Ratios on one axis, and below it differences in their unit, where a value is zero and no ratio exists. */
export function EffectRows({ panels, width, active, axis }: { panels: readonly EffectPanel[]; width: number; active: string | null; axis: "differenceBA" | "differenceOwn" | "differenceOfOwn" }) {
  return panels.map(({ height, rows, marks, domain, rule, band, unit }) => (
    <div key={rule}>
      {unit !== undefined && <p className={styles.axis}>{t("differenceAxis", { what: t(axis), unit: unitOf(unit) })}</p>}
      <IntervalRows active={active} width={width} height={height} rows={rows} marks={marks} domain={domain} rule={rule} {...(band && { band })} {...(unit !== undefined && { format: formatSigned })} />
    </div>
  ));
}

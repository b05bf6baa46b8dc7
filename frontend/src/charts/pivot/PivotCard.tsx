import { memo, useState } from "react";
import type { ChartModel } from "@/api/generated";
import type { ImageChoice, ImageHref } from "@/api/exports";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { formatNumber } from "@/components/format";
import { familyOf, intervalName } from "@/components/intervals";
import { ImageLinks } from "@/components/ImageLinks";
import { metricLabel } from "@/components/metricLabels";
import { Select } from "@/components/Select";
import { Toggle } from "@/components/Toggle";
import { useAddress } from "@/components/useAddress";
import { messages } from "@/messages";
import styles from "./Pivot.module.css";
import { PivotChart } from "./PivotChart";
import { addressOf, choiceOf, factorName, imageOf, ROLES, variedFactors, withRole, type PivotChoice, type Role } from "./pivotChoice";
import { pivot } from "./pivotLayout";
import { PivotTable } from "./PivotTable";

const t = messages("charts");

interface Props {
  model: ChartModel;
  image?: ((choice: ImageChoice) => ImageHref) | undefined;
  cellHref?: (cellId: string) => string;
}

const nameOf = (role: Role) => t(role === "color" ? "colour" : role);
const views = () => [{ value: "table", label: t("table") }, { value: "chart", label: t("chart") }] as const;
const scales = () => [{ value: "same", label: t("sameScale") }, { value: "own", label: t("ownScales"), title: t("ownScalesTitle") }] as const;
const NONE = "";
const PREFIX = "pivot_";
/** A pivot of more cells than this is drawn on request only. */
const MANY = 120;

/** The cells by any factors, as a heat map or as small charts; the choice is kept in the address. */
export function PivotCard({ model, image, cellHref }: Props) {
  const [query, change] = useAddress();
  const linked = [...query.keys()].some((key) => key.startsWith(PREFIX));
  const [open, setOpen] = useState(linked || model.cells.length <= MANY);
  const varied = variedFactors(model);
  const choice = choiceOf(model, query);
  const axis = model.axes.find(({ metric }) => metric === choice.metric);
  if (varied.length < 2 || !axis) return null;
  const set = (next: PivotChoice) => change(addressOf(next));
  if (!open)
    return (
      <Card title={t("pivot")} note={t("pivotMany", { count: model.cells.length, n: formatNumber(model.cells.length) })}>
        <Button onClick={() => setOpen(true)}>{t("showPivot")}</Button>
      </Card>
    );
  return (
    <Card
      title={t("pivot")}
      note={t("pivotNote", { label: metricLabel(axis), unit: axis.unit, better: t(axis.better === "higher" ? "higherBetter" : "lowerBetter") })}
      actions={
        <>
          <Select label={t("pivotMetric")} options={model.axes.map((each) => ({ value: each.metric, label: metricLabel(each) }))} value={axis.metric} onChange={(metric) => set({ ...choice, metric })} />
          {choice.view === "chart" && <Toggle label={t("pivotScale")} options={scales()} value={choice.sameScale ? "same" : "own"} onChange={(scale) => set({ ...choice, sameScale: scale === "same" })} />}
          <Toggle label={t("pivotView")} options={views()} value={choice.view} onChange={(view) => set({ ...choice, view })} />
        </>
      }
    >
      <div className={styles.roles} role="group" aria-label={t("pivotPlacement")}>
        {ROLES.map((role) => (
          <label key={role}>
            {nameOf(role)}
            <Select
              label={t("pivotRole", { role: nameOf(role) })}
              options={[{ value: NONE, label: t("none") }, ...varied.map(({ name, levels }) => ({ value: name, label: t("factorLevels", { factor: factorName(name), n: formatNumber(levels.length) }) }))]}
              value={choice[role] ?? NONE}
              onChange={(factor) => set(withRole(choice, role, factor === NONE ? null : factor))}
            />
          </label>
        ))}
      </div>
      <Drawn model={model} parameters={pivotQuery(query)} cellHref={cellHref} />
      {image && <ImageLinks title={t("pivot")} href={image(imageOf(choice))} />}
    </Card>
  );
}

/** Returns the query parameters of the pivot. */
function pivotQuery(query: URLSearchParams): string {
  return new URLSearchParams([...query].filter(([name]) => name.startsWith(PREFIX))).toString();
}

/** The heat map or the small charts, rendered again only if the pivot's parameters change. */
const Drawn = memo(function Drawn({ model, parameters, cellHref }: Pick<Props, "model" | "cellHref"> & { parameters: string }) {
  const choice = choiceOf(model, new URLSearchParams(parameters));
  const axis = model.axes.find(({ metric }) => metric === choice.metric);
  if (!axis) return null;
  const found = pivot(model, choice, axis);
  if (choice.view === "chart") return <PivotChart model={model} found={found} choice={choice} axis={axis} cellHref={cellHref} />;
  return (
    <>
      <PivotTable found={found} choice={choice} axis={axis} cellHref={cellHref} />
      <Key ratios={intervalName(familyOf(model, axis.metric), model.interim_analyses !== null)} compared={found.panels.some((panel) => panel.entries.flat(2).some(({ comparison }) => comparison !== null))} />
    </>
  );
});

/** The legend of the heat map. */
function Key({ compared, ratios }: { compared: boolean; ratios: string }) {
  if (!compared) return <p className={styles.caption}>{t("darkerLarger")}</p>;
  return (
    <p className={styles.caption}>
      <span className={styles.swatch} data-kind="better" /> {t("pivotKeyBetter")} <span className={styles.swatch} data-kind="worse" /> {t("pivotKeyWorse")}{" "}
      <span className={styles.swatch} data-kind="grey" /> {t("pivotKeyGrey", { ratios })}
    </p>
  );
}

import { memo, useState } from "react";
import type { ChartModel } from "@/api/generated";
import type { ImageChoice, ImageHref } from "@/api/exports";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { plural } from "@/components/format";
import { familyOf, intervalName } from "@/components/intervals";
import { ImageLinks } from "@/components/ImageLinks";
import { Select } from "@/components/Select";
import { Toggle } from "@/components/Toggle";
import { useAddress } from "@/components/useAddress";
import styles from "./Pivot.module.css";
import { PivotChart } from "./PivotChart";
import { addressOf, choiceOf, factorName, imageOf, ROLES, variedFactors, withRole, type PivotChoice, type Role } from "./pivotChoice";
import { pivot } from "./pivotLayout";
import { PivotTable } from "./PivotTable";

interface Props {
  model: ChartModel;
  image?: ((choice: ImageChoice) => ImageHref) | undefined;
  cellHref?: (cellId: string) => string;
}

const NAMES: Record<Role, string> = { rows: "Rows", columns: "Columns", color: "Colour", panels: "Panels" };
const VIEWS = [
  { value: "table", label: "Table" },
  { value: "chart", label: "Chart" },
] as const;
const SCALES = [
  { value: "same", label: "Same scale" },
  { value: "own", label: "Own scales", title: "Each chart from 0 to its own largest value" },
] as const;
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
      <Card title="Pivot" note={`${plural(model.cells.length, "cell")} by any two factors, with colour and panels`}>
        <Button onClick={() => setOpen(true)}>Show the pivot</Button>
      </Card>
    );
  return (
    <Card
      title="Pivot"
      note={`${axis.label} (${axis.unit}), ${axis.better} is better. A/A duplicates are left out`}
      actions={
        <>
          <Select label="Metric of the pivot" options={model.axes.map((each) => ({ value: each.metric, label: each.label }))} value={axis.metric} onChange={(metric) => set({ ...choice, metric })} />
          {choice.view === "chart" && <Toggle label="Pivot: scale" options={SCALES} value={choice.sameScale ? "same" : "own"} onChange={(scale) => set({ ...choice, sameScale: scale === "same" })} />}
          <Toggle label="Pivot: table or chart" options={VIEWS} value={choice.view} onChange={(view) => set({ ...choice, view })} />
        </>
      }
    >
      <div className={styles.roles} role="group" aria-label="Placement of the factors">
        {ROLES.map((role) => (
          <label key={role}>
            {NAMES[role]}
            <Select
              label={`Pivot: ${NAMES[role]}`}
              options={[{ value: NONE, label: "none" }, ...varied.map(({ name, levels }) => ({ value: name, label: `${factorName(name)} (${levels.length})` }))]}
              value={choice[role] ?? NONE}
              onChange={(factor) => set(withRole(choice, role, factor === NONE ? null : factor))}
            />
          </label>
        ))}
      </div>
      <Drawn model={model} parameters={pivotQuery(query)} cellHref={cellHref} />
      {image && <ImageLinks title="Pivot" href={image(imageOf(choice))} />}
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
  if (choice.view === "chart") return <PivotChart model={model} found={found} choice={choice} axis={axis} />;
  return (
    <>
      <PivotTable found={found} choice={choice} axis={axis} cellHref={cellHref} />
      <Key ratios={intervalName(familyOf(model, axis.metric), model.interim_analyses !== null)} compared={found.panels.some((panel) => panel.entries.flat(2).some(({ comparison }) => comparison !== null))} />
    </>
  );
});

/** The legend of the heat map. */
function Key({ compared, ratios }: { compared: boolean; ratios: string }) {
  if (!compared) return <p className={styles.caption}>Darker blue: larger median.</p>;
  return (
    <p className={styles.caption}>
      <span className={styles.swatch} data-kind="better" /> better <span className={styles.swatch} data-kind="worse" /> worse than its baseline by the verdict, corrected for all comparisons;{" "}
      <span className={styles.swatch} data-kind="grey" /> grey: no difference shown, equivalent or not enough rounds. In brackets: the ratio’s {ratios}.
    </p>
  );
}

import { useState } from "react";
import type { ChartModel } from "@/api/chart";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { plural } from "@/components/format";
import { Select } from "@/components/Select";
import { Toggle } from "@/components/Toggle";
import { useAddress } from "@/components/useAddress";
import styles from "./Pivot.module.css";
import { PivotChart } from "./PivotChart";
import { addressOf, choiceOf, factorName, ROLES, variedFactors, withRole, type PivotChoice, type Role } from "./pivotChoice";
import { pivot } from "./pivotLayout";
import { PivotTable } from "./PivotTable";

interface Props {
  model: ChartModel;
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
/** A pivot of more cells than this is drawn when it is asked for. */
const MANY = 120;

/** The cells by any factors: heat map or small charts, as the address says. */
export function PivotCard({ model, cellHref }: Props) {
  const [query, change] = useAddress();
  const asked = [...query.keys()].some((key) => key.startsWith("pivot_"));
  const [open, setOpen] = useState(asked || model.cells.length <= MANY);
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
  const found = pivot(model, choice, axis);
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
      <div className={styles.roles} role="group" aria-label="Where the factors stand">
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
      {choice.view === "chart" ? (
        <PivotChart model={model} found={found} choice={choice} axis={axis} />
      ) : (
        <>
          <PivotTable found={found} choice={choice} axis={axis} cellHref={cellHref} />
          <Key compared={found.panels.some((panel) => panel.entries.flat(2).some(({ comparison }) => comparison !== null))} />
        </>
      )}
    </Card>
  );
}

/** What the colours of the heat map mean. */
function Key({ compared }: { compared: boolean }) {
  if (!compared) return <p className={styles.caption}>The bluer, the larger the median.</p>;
  return (
    <p className={styles.caption}>
      <span className={styles.swatch} data-kind="better" /> better than its baseline <span className={styles.swatch} data-kind="worse" /> worse <span className={styles.swatch} data-kind="grey" /> the
      interval crosses 1. In brackets: the ratio’s 95 % interval.
    </p>
  );
}

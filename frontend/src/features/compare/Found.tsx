import { lazy, Suspense } from "react";
import { Link } from "react-router";
import type { Basis, CrossModel, RunSide } from "@/api/cross";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { formatTime, plural } from "@/components/format";
import { Select } from "@/components/Select";
import { StateBadge } from "@/components/State";
import { IMPORTED } from "@/components/states";
import { Loading, Note } from "@/components/Status";
import { TableScroll } from "@/components/TableScroll";
import { Toggle } from "@/components/Toggle";
import { CrossRows } from "./CrossRows";
import styles from "./ComparePage.module.css";
import { Differences } from "./Differences";

const RatioPlot = lazy(async () => ({ default: (await import("@/charts/RatioPlot")).RatioPlot }));

const BASES = [
  { value: "values", label: "Values", title: "The figures themselves: on one host, in one environment" },
  { value: "ratios", label: "Ratios", title: "Each cell over its own run’s baseline, then their ratio: also between two hosts" },
] as const;

interface Props {
  model: CrossModel;
  metric: string | null;
  onChange: (changes: Record<string, string | null>) => void;
}

/** What the comparison says: first in what the two differ, then whether they may be compared, then the figures. */
export function Found({ model, metric, onChange }: Props) {
  return (
    <>
      {model.overridden && (
        <Note tone="bad">
          <strong>Compared although they are not comparable.</strong> What differs between the two may be all that the figures below show. <Reasons reasons={model.reasons} />
        </Note>
      )}
      <div className={styles.pair}>
        <SideFacts name="A" side={model.a} />
        <SideFacts name="B" side={model.b} />
      </div>
      <Differences model={model} />
      {model.refused ? <Refused model={model} onChange={onChange} /> : <Figures model={model} metric={metric} onChange={onChange} />}
    </>
  );
}

function Reasons({ reasons }: { reasons: readonly string[] }) {
  if (reasons.length === 0) return null;
  return (
    <ul className={styles.reasons}>
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
}

function SideFacts({ name, side }: { name: string; side: RunSide }) {
  return (
    <Card>
      <p className={styles.facts}>
        <b>{name}</b> <Link to={`/runs/${side.run_id}`}>{side.title}</Link>
        {side.origin === "imported" && <StateBadge told={IMPORTED} />}
      </p>
      <p className={styles.quiet}>
        on {side.host}, {side.started_at ? formatTime(side.started_at) : "start not recorded"}, {plural(side.rounds, "round")}
      </p>
    </Card>
  );
}

function Refused({ model, onChange }: Omit<Props, "metric">) {
  return (
    <Card title="Not compared" note="The two differ in something that decides">
      <Reasons reasons={model.reasons} />
      <p className={styles.anyway}>
        <Button kind="danger" onClick={() => onChange({ override: "1" })}>
          Compare anyway
        </Button>
      </p>
    </Card>
  );
}

function Figures({ model, metric, onChange }: Props) {
  const cross = model.tables.find((table) => table.metric === metric) ?? model.tables[0];
  return (
    <>
      {!model.overridden && model.reasons.length > 0 && (
        <Note tone="warn">
          <Reasons reasons={model.reasons} />
        </Note>
      )}
      {model.warnings.map((warning) => (
        <Note key={warning} tone="warn">{warning}</Note>
      ))}
      {cross ? (
        <>
          <Card
            title="B against A"
            note={`${cross.headline}${model.basis === "ratios" ? " Each cell is taken over its own run’s baseline." : ""}`}
            flush
            actions={
              <>
                <Select label="Metric of the comparison" options={model.tables.map((table) => ({ value: table.metric, label: table.label }))} value={cross.metric} onChange={(next) => onChange({ metric: next })} />
                <Toggle<Basis> label="Basis" options={BASES} value={model.basis} onChange={(basis) => onChange({ basis })} />
              </>
            }
          >
            <TableScroll label="B against A" folding>
              <CrossRows cross={cross} ratios={model.basis === "ratios"} />
            </TableScroll>
          </Card>
          <Suspense fallback={<Loading label="Loading the chart" />}>
            <RatioPlot cross={cross} margin={model.margin} table={<CrossRows cross={cross} ratios={model.basis === "ratios"} />} />
          </Suspense>
        </>
      ) : (
        <Note tone="warn">The two have no metric in common.</Note>
      )}
    </>
  );
}

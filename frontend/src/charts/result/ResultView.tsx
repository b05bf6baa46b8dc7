import { useState } from "react";
import type { Axis, ChartModel } from "@/api/chart";
import { DotPlot } from "@/charts/DotPlot";
import { RoleBars } from "@/charts/RoleBars";
import { sentenceCase } from "@/components/format";
import { operationOf, rateNamed } from "@/components/rates";
import { Select } from "@/components/Select";
import { ResultTable } from "./ResultTable";
import styles from "./ResultView.module.css";
import { Claims, DuplicateChecks, Environment, Warnings } from "./Trust";
import { Verdict } from "./Verdict";

interface Props {
  model: ChartModel;
  provisional?: boolean;
  /** Where a cell's and a trial's own pages are; left out, nothing is a link. */
  links?: { cell: (cellId: string) => string; trial: (trialId: string) => string; host: string; open: (href: string) => void };
}

/** The axis beside CPU by role: the cost of a transaction, where the run has it. */
const SECOND = "cpu_us_per_txn";

/** A run's result, complete: the same for its owner and behind a share link. */
export function ResultView({ model, provisional = false, links }: Props) {
  const [chosen, choose] = useState(SECOND);
  const [first, ...others] = model.axes;
  const second = others.find((axis) => axis.metric === chosen) ?? others[0];
  const plot = (axis: Axis, controls?: React.ReactNode) => (
    <DotPlot
      key={axis.metric}
      model={model}
      axis={axis}
      title={titleOf(axis, model)}
      note={`${axis.label} (${axis.unit}); one dot a trial`}
      controls={controls}
      {...(links && { onTrial: (id) => links.open(links.trial(id)), onCell: (id) => links.open(links.cell(id)) })}
    />
  );
  const picker = second && others.length > 1 && (
    <Select label="Metric of this chart" options={others.map((axis) => ({ value: axis.metric, label: axis.label }))} value={second.metric} onChange={choose} />
  );
  return (
    <div className={styles.result}>
      <Verdict model={model} provisional={provisional} />
      <Warnings model={model} {...(links && { cellHref: links.cell })} />
      {first && plot(first)}
      <div className={styles.pair}>
        <RoleBars model={model} />
        {second && plot(second, picker)}
      </div>
      <ResultTable model={model} {...(links && { cellHref: links.cell })} />
      <div className={styles.pair}>
        <Claims model={model} />
        <DuplicateChecks model={model} />
      </div>
      <Environment model={model} {...(links && { hostHref: links.host })} />
    </div>
  );
}

function titleOf({ metric, label }: Axis, { cells }: ChartModel): string {
  if (rateNamed(metric)) return "Throughput";
  return metric === SECOND ? `CPU per ${operationOf(cells.map((cell) => cell.levels))}` : sentenceCase(label);
}

import { memo, useDeferredValue, useState } from "react";
import type { Axis, ChartModel } from "@/api/chart";
import { DotPlot } from "@/charts/DotPlot";
import { KneeCard } from "@/charts/KneeCard";
import { LadderCard } from "@/charts/LadderCard";
import { PivotCard } from "@/charts/pivot/PivotCard";
import { RoleBars } from "@/charts/RoleBars";
import { sentenceCase } from "@/components/format";
import { operationOf, rateNamed } from "@/components/rates";
import { Select } from "@/components/Select";
import { Note } from "@/components/Status";
import { BestCard } from "./BestCard";
import { FilterBar } from "./FilterBar";
import { laneLimit, NO_FILTER, shownCells } from "./filter";
import { GateCard } from "./GateCard";
import { LooksCard } from "./LooksCard";
import { ResultTable } from "./ResultTable";
import styles from "./ResultView.module.css";
import { Claims, DriftChecks, DuplicateChecks, Environment, Warnings } from "./Trust";
import { Verdict } from "./Verdict";

export interface ResultLinks {
  cell: (cellId: string) => string;
  /** The trial of a cell in one round. */
  round: (cellId: string, round: number) => string;
  host: string;
  open: (href: string) => void;
}

interface Props {
  model: ChartModel;
  provisional?: boolean;
  /** Where a cell's and a trial's own pages are; left out, nothing is a link. */
  links?: ResultLinks;
}

/** The axis beside CPU by role: the cost of a transaction, where the run has it. */
const SECOND = "cpu_us_per_txn";

/** A run's result, complete: the same for its owner and behind a share link. Live figures beside it leave it as it is. */
export const ResultView = memo(function ResultView({ model, provisional = false, links }: Props) {
  const cellHref = links && { cellHref: links.cell };
  return (
    <div className={styles.result}>
      <Verdict model={model} provisional={provisional} />
      {model.reduced && <Note tone="info">{model.reduced.sentence}</Note>}
      <GateCard model={model} {...cellHref} />
      <Warnings model={model} {...cellHref} />
      <Charts model={model} links={links} />
      <LadderCard model={model} {...cellHref} />
      <PivotCard model={model} {...cellHref} />
      <div className={styles.pair}>
        <Claims model={model} />
        <LooksCard model={model} />
        <DuplicateChecks model={model} />
        <DriftChecks model={model} />
      </div>
      <Environment model={model} {...(links && { hostHref: links.host })} />
    </div>
  );
});

/** What the filter narrows: the charts by cell, and the table of all cells. */
function Charts({ model, links }: Pick<Props, "model" | "links">) {
  const [chosen, choose] = useState(SECOND);
  const [filter, setFilter] = useState(NO_FILTER);
  const step = laneLimit(model);
  const [limit, setLimit] = useState(step);
  const settled = useDeferredValue(filter);
  const [first, ...others] = model.axes;
  if (!first) return null;
  const second = others.find((axis) => axis.metric === chosen) ?? others[0];
  const left = shownCells(model, first.metric, settled);
  const drawn = (axis: Axis) => (axis === first ? left : shownCells(model, axis.metric, settled)).slice(0, limit);
  const plot = (axis: Axis, controls?: React.ReactNode) => (
    <DotPlot
      key={axis.metric}
      model={model}
      axis={axis}
      shown={drawn(axis)}
      title={titleOf(axis, model)}
      note={`${axis.label} (${axis.unit}); one dot a trial`}
      controls={controls}
      {...(links && { onTrial: (cellId, round) => links.open(links.round(cellId, round)), onCell: (id) => links.open(links.cell(id)) })}
    />
  );
  const picker = second && others.length > 1 && (
    <Select label="Metric of this chart" options={others.map((axis) => ({ value: axis.metric, label: axis.label }))} value={second.metric} onChange={choose} />
  );
  const cellHref = links && { cellHref: links.cell };
  return (
    <>
      <FilterBar filter={filter} onFilter={setFilter} all={model.cells.length} left={left.length} drawn={Math.min(limit, left.length)} onMore={() => setLimit(limit + step)} />
      {plot(first)}
      <BestCard model={model} {...cellHref} />
      <KneeCard model={model} />
      <div className={styles.pair}>
        {model.cells.some((cell) => cell.cpu.length > 0) && <RoleBars model={model} shown={drawn(first)} />}
        {second && plot(second, picker)}
      </div>
      <ResultTable model={model} filter={settled} {...cellHref} />
    </>
  );
}

function titleOf({ metric, label }: Axis, { cells }: ChartModel): string {
  if (rateNamed(metric)) return "Throughput";
  return metric === SECOND ? `CPU per ${operationOf(cells.map((cell) => cell.levels))}` : sentenceCase(label);
}

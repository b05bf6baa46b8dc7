import { memo, useDeferredValue, useMemo, useState } from "react";
import type { Axis, ChartModel } from "@/api/generated";
import type { ImageChoice } from "@/api/exports";
import { DotPlot } from "@/charts/DotPlot";
import { RoleBars } from "@/charts/RoleBars";
import { sentenceCase } from "@/components/format";
import { metricLabel } from "@/components/metricLabels";
import { operationOf, rateNamed } from "@/components/rates";
import { Select } from "@/components/Select";
import { messages } from "@/messages";
import { BestCard } from "./BestCard";
import { FilterBar } from "./FilterBar";
import { laneLimit, shownCells, type CellFilter } from "./filter";
import { SECOND, secondAxis } from "./resultChoice";
import { ResultTable } from "./ResultTable";
import type { ResultLinks, ResultShare } from "./links";
import { PanelCards } from "./PanelCards";
import styles from "./ResultView.module.css";
import { SeriesSection } from "./SeriesSection";
import { useResultChoice, type Choose } from "./useResultChoice";

const t = messages("result");

/** An image has at most this many lanes; the ids of thousands of cells would not fit into its address. */
const IMAGE_LANES = 120;

interface Props {
  model: ChartModel;
  links: ResultLinks | undefined;
}

interface ChartsProps extends Props {
  share: ResultShare | undefined;
  /** Receives the charts by cell with their filter, and what depends on the same choice. */
  children: (parts: { cells: React.ReactNode; table: React.ReactNode; panels: React.ReactNode; series: React.ReactNode }) => React.ReactNode;
}

/** The charts by cell, the panels and the table of all cells, which share a filter, and the time series of a cell. Rendering is deferred while text is typed into the filter. */
export function ResultCharts({ model, links, share, children }: ChartsProps) {
  const [choice, choose] = useResultChoice(model);
  const step = laneLimit(model);
  const [limit, setLimit] = useState(step);
  const settled = useDeferredValue(choice.filter);
  const [first] = model.axes;
  const matching = useMemo(() => (first ? shownCells(model, first.metric, settled) : []), [model, first, settled]);
  const shown = useMemo(() => (matching.length < model.cells.length ? new Set(matching.map(({ id }) => id)) : null), [matching, model]);
  if (!first) return children({ cells: null, table: null, panels: null, series: null });
  const left = matching.length;
  const cells = (
    <>
      <FilterBar
        filter={choice.filter}
        onFilter={(filter) => choose((known) => ({ ...known, filter }))}
        all={model.cells.length}
        left={left}
        drawn={Math.min(limit, left)}
        onMore={() => setLimit(limit + step)}
      />
      <Plots model={model} links={links} filter={settled} limit={limit} chosen={choice.second} choose={choose} />
    </>
  );
  return children({
    cells,
    panels: <PanelCards model={model} links={links} share={share} shown={shown} />,
    series: <SeriesSection model={model} links={links} share={share} chosen={choice.series} choose={choose} />,
    table: <ResultTable model={model} filter={settled} metric={choice.metric} order={choice.order} choose={choose} {...(links && { cellHref: links.cell })} />,
  });
}

interface PlotsProps extends Props {
  filter: CellFilter;
  /** The maximum number of cells in a chart. */
  limit: number;
  /** The metric of the second chart, where it is not the default one. */
  chosen: string | null;
  choose: Choose;
}

const Plots = memo(function Plots({ model, links, filter, limit, chosen, choose }: PlotsProps) {
  const [first, ...others] = model.axes;
  if (!first) return null;
  const second = secondAxis(model, chosen);
  const shown = (axis: Axis) => shownCells(model, axis.metric, filter);
  const drawn = (axis: Axis) => shown(axis).slice(0, limit);
  /** The addresses of an image of the matching cells, up to IMAGE_LANES; undefined where no cell matches. */
  const image = (axis: Axis, choice: ImageChoice) => {
    const left = shown(axis);
    const cells = left.length < model.cells.length && { cells: left.slice(0, IMAGE_LANES).map(({ id }) => id).join(",") };
    return left.length > 0 ? links?.image({ ...choice, ...cells }) : undefined;
  };
  const plot = (axis: Axis, controls?: React.ReactNode) => (
    <DotPlot
      key={axis.metric}
      model={model}
      axis={axis}
      shown={drawn(axis)}
      title={titleOf(axis, model)}
      note={noteOf(axis, model)}
      controls={controls}
      image={image(axis, { kind: "dots", metric: axis.metric })}
      {...(links && { onTrial: (cellId, round) => links.open(links.round(cellId, round)), onCell: (id) => links.open(links.cell(id)) })}
    />
  );
  const picker = second && others.length > 1 && (
    <Select
      label={t("metricOfChart")}
      options={others.map((axis) => ({ value: axis.metric, label: metricLabel(axis) }))}
      value={second.metric}
      onChange={(metric) => choose((known) => ({ ...known, second: metric }))}
    />
  );
  return (
    <>
      {plot(first)}
      <BestCard model={model} {...(links && { cellHref: links.cell })} />
      <div className={styles.pair}>
        {model.cells.some((cell) => cell.cpu.length > 0) && <RoleBars model={model} shown={drawn(first)} image={(unit) => image(first, { kind: "roles", unit })} />}
        {second && plot(second, picker)}
      </div>
    </>
  );
});

function titleOf(axis: Axis, { cells }: ChartModel): string {
  if (rateNamed(axis.metric)) return t("throughput");
  return axis.metric === SECOND ? t("cpuPer", { operation: operationOf(cells.map((cell) => cell.levels)) }) : sentenceCase(metricLabel(axis));
}

/** Returns the note of a chart; a very large result has single values of its first metric only. */
function noteOf(axis: Axis, { reduced }: ChartModel): string {
  return t(reduced?.without_values.includes(axis.metric) ? "noteMedians" : "noteDots", { label: metricLabel(axis), unit: axis.unit });
}

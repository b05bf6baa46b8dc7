import { memo } from "react";
import type { ImageChoice } from "@/api/exports";
import type { Axis, ChartModel } from "@/api/generated";
import { hasFigures, isTerminal } from "@/api/states";
import { DotPlot } from "@/charts/DotPlot";
import { jointCells } from "@/charts/joint/jointLayout";
import { RoleBars } from "@/charts/RoleBars";
import { sentenceCase } from "@/components/format";
import { metricLabel } from "@/components/metricLabels";
import { operationOf, rateNamed } from "@/components/rates";
import { Select } from "@/components/Select";
import { Note } from "@/components/Status";
import { messages } from "@/messages";
import { BestCard } from "./BestCard";
import { shownCells, type CellFilter } from "./filter";
import type { ResultLinks } from "./links";
import { TradeOffPanels } from "./PanelCards";
import { SECOND, secondAxis } from "./resultChoice";
import type { TabContent } from "./tabContent";
import styles from "./ResultView.module.css";
import type { Choose } from "./useResultChoice";

const t = messages("result");
const answer = messages("answer");

/** An image has at most this many lanes: the ids of thousands would not fit into its address. */
const IMAGE_LANES = 120;

/** The best cells, what an operation costs, and throughput against that cost. */
export function Overview({
  shown,
  ...content
}: TabContent & { shown: ReadonlySet<string> | null }) {
  const { model, links, filter, choice, choose, limit } = content;
  const nothing = whyNothing(model);
  if (nothing !== null) return <Note tone="info">{nothing}</Note>;
  return (
    <>
      <BestCard model={model} {...(links && { cellHref: links.cell })} />
      <Costs
        model={model}
        links={links}
        filter={filter}
        limit={limit}
        chosen={choice.second}
        choose={choose}
      />
      <TradeOffPanels {...content} shown={shown} />
    </>
  );
}

/** Why there is nothing below the chart of throughput; null where there is something. */
function whyNothing({ cells, axes, state }: ChartModel): string | null {
  if (!cells.some(hasFigures)) return answer(isTerminal(state) ? "overviewNone" : "overviewYet");
  const [first, ...others] = axes;
  if (!first || others.length > 0 || cells.some(({ cpu }) => cpu.length > 0)) return null;
  return answer("overviewRate", { metric: metricLabel(first) });
}

interface CostsProps {
  model: ChartModel;
  links: ResultLinks | undefined;
  filter: CellFilter;
  /** The maximum number of cells in a chart. */
  limit: number;
  /** The metric of the dot plot, where it is not the default one. */
  chosen: string | null;
  choose: Choose;
}

/** CPU by role, and the dots of any metric but the first, which the chart above the tabs has. */
const Costs = memo(function Costs({ model, links, filter, limit, chosen, choose }: CostsProps) {
  const [first, ...others] = model.axes;
  const second = secondAxis(model, chosen);
  if (!first) return null;
  const shown = (axis: Axis) => jointCells({ cells: shownCells(model, axis.metric, filter) });
  const drawn = (axis: Axis) => shown(axis).slice(0, limit);
  /** The addresses of an image of the matching cells, up to IMAGE_LANES; undefined for none. */
  const image = (axis: Axis, choice: ImageChoice) => {
    const left = shown(axis);
    const cells = left.length < jointCells(model).length && {
      cells: left
        .slice(0, IMAGE_LANES)
        .map(({ id }) => id)
        .join(","),
    };
    return left.length > 0 ? links?.image({ ...choice, ...cells }) : undefined;
  };
  return (
    <div className={styles.pair}>
      {model.cells.some((cell) => cell.cpu.length > 0) && (
        <RoleBars
          model={model}
          shown={drawn(first)}
          startsWith="us_per_txn"
          image={(unit) => image(first, { kind: "roles", unit })}
        />
      )}
      {second && (
        <DotPlot
          key={second.metric}
          model={model}
          axis={second}
          shown={drawn(second)}
          title={titleOf(second, model)}
          note={noteOf(second, model)}
          controls={
            others.length > 1 && (
              <Select
                label={t("metricOfChart")}
                options={others.map((axis) => ({ value: axis.metric, label: metricLabel(axis) }))}
                value={second.metric}
                onChange={(metric) => choose((known) => ({ ...known, second: metric }))}
              />
            )
          }
          image={image(second, { kind: "dots", metric: second.metric })}
          {...(links && {
            onTrial: (cellId, round) => links.open(links.round(cellId, round)),
            onCell: (id) => links.open(links.cell(id)),
          })}
        />
      )}
    </div>
  );
});

function titleOf(axis: Axis, { cells }: ChartModel): string {
  if (rateNamed(axis.metric)) return t("throughput");
  const operation = operationOf(cells.map((cell) => cell.levels));
  return axis.metric === SECOND ? t("cpuPer", { operation }) : sentenceCase(metricLabel(axis));
}

/** Returns the note of a chart; a very large result has single values of its first metric only. */
function noteOf(axis: Axis, { reduced }: ChartModel): string {
  const key = reduced?.without_values.includes(axis.metric) ? "noteMedians" : "noteDots";
  return t(key, { label: metricLabel(axis), unit: axis.unit });
}

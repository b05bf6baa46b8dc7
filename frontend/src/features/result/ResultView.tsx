import { memo, useDeferredValue, useMemo, useState } from "react";
import type { ChartModel } from "@/api/generated";
import { isTerminal } from "@/api/states";
import { JointChart } from "@/charts/joint/JointChart";
import { jointCells } from "@/charts/joint/jointLayout";
import { Loading } from "@/components/Status";
import { messages } from "@/messages";
import { answerOf } from "./answer";
import { laneLimit, shownCells } from "./filter";
import { FilterBar } from "./FilterBar";
import { jointRows } from "./jointImage";
import type { ResultLinks, ResultShare } from "./links";
import styles from "./ResultView.module.css";
import { TabBody } from "./tabs/TabBody";
import { TabList, TabPanel } from "./tabs/TabList";
import { tabsOf, type TabId } from "./tabs/tabs";
import { tabTitle } from "./tabs/tabTitle";
import { useTab } from "./tabs/useTab";
import { Tiles } from "./Tiles";
import { usePrinting } from "./usePrinting";
import { useResultChoice } from "./useResultChoice";
import { warningCount } from "./warningCount";

const t = messages("answer");

/** Drawn again only for another result or filter. */
const Joint = memo(JointChart);

/** The overview draws so many cells at first: the chart above has them already. */
const FIRST = 6;

/** The tabs whose content the filter of cells limits. */
const FILTERED: readonly TabId[] = ["overview", "sweep", "latency", "trials"];

interface Props {
  model: ChartModel;
  /** The addresses of the pages of cells and trials; without them nothing is a link. */
  links?: ResultLinks;
  /** The link that the result is behind. */
  share?: ResultShare;
  /** All trials by cell and round, shown among the trials. */
  trials?: React.ReactNode;
  /** Opens what measures the lost trials again. */
  measureLost?: () => void;
  /** While a run is measured, the page has its progress in place of the tiles. */
  withoutTiles?: boolean;
}

/**
 * The figures of a result below its answer: tiles, throughput and CPU, and the rest in tabs.
 * Memoised: live figures do not render it again.
 */
export const ResultView = memo(function ResultView({
  model: newest,
  links,
  share,
  trials,
  measureLost,
  withoutTiles = false,
}: Props) {
  // While a run goes on, its tiles are rendered at once, the rest without delaying keys.
  const model = useDeferredValue(newest);
  const [choice, choose] = useResultChoice(model);
  const filter = useDeferredValue(choice.filter);
  const step = laneLimit(model);
  const [limit, setLimit] = useState(Math.min(step, FIRST));
  const axis = model.axes[0];
  const matching = useMemo(
    () => (axis ? shownCells(model, axis.metric, filter) : model.cells),
    [model, axis, filter],
  );
  const drawable = useMemo(() => jointCells({ cells: matching }).length, [matching]);
  const panels = share?.panels ?? null;
  const canRequest = links !== undefined || panels !== null;
  const tabs = useMemo(() => tabsOf(model, { canRequest, panels }), [model, canRequest, panels]);
  const [tab, open] = useTab(tabs);
  const opens = useMemo(() => (links ? opensOf(links) : {}), [links]);
  const image = useMemo(
    () => links?.image({ kind: "joint", ...jointRows(model, matching) }),
    [links, model, matching],
  );
  const isPrinting = usePrinting();
  const warnings = warningCount(model);
  const content = { model, links, share, trials, matching, filter, choice, choose, limit };
  return (
    <div className={styles.result}>
      {!withoutTiles && <Tiles model={newest} measureLost={measureLost} />}
      {axis && (
        <Joint
          key={model.run_id}
          model={model}
          axis={axis}
          matching={matching}
          first={isPrinting ? step : undefined}
          step={step}
          // While rounds come in, rows keep their places: the cell of the answer changes.
          answerId={isTerminal(model.state) ? (answerOf(model).cell_id ?? null) : null}
          image={image}
          {...opens}
        />
      )}
      <TabList
        tabs={tabs.map((id) => ({
          id,
          title: tabTitle(id, model),
          ...(id === "statistics" && { warnings }),
        }))}
        open={tab}
        onOpen={open}
      />
      {axis && FILTERED.includes(tab) && (
        <FilterBar
          filter={choice.filter}
          onFilter={(next) => choose((known) => ({ ...known, filter: next }))}
          all={model.cells.length}
          left={matching.length}
          drawn={tab === "overview" && limit < drawable ? limit : matching.length}
          onMore={() => setLimit(limit + step)}
        />
      )}
      {(isPrinting ? tabs : [tab]).map((id) => (
        <TabPanel key={id} id={id} title={tabTitle(id, model)}>
          <TabBody
            fallback={<Loading label={t("loadingTab")} rows={8} />}
            {...{ tab: id, isPrinting }}
            {...content}
          />
        </TabPanel>
      ))}
    </div>
  );
});

/** What a click on a trial or on a cell opens. */
function opensOf(links: ResultLinks) {
  return {
    onTrial: (cellId: string, round: number) => links.open(links.round(cellId, round)),
    onCell: (cellId: string) => links.open(links.cell(cellId)),
  };
}

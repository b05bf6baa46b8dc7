import { HopCostCard } from "@/charts/HopCostCard";
import { PivotCard } from "@/charts/pivot/PivotCard";
import { Loading } from "@/components/Status";
import { onDemand } from "@/components/onDemand";
import { messages, withMessages } from "@/messages";
import { CheckCards } from "./CheckCards";
import { CountsCard } from "./CountsCard";
import { EnvironmentCard } from "./EnvironmentCard";
import { ExcludedCard } from "./ExcludedCard";
import { GapsCard } from "./GapsCard";
import { Overview } from "./Overview";
import { LatencyPanels, SweepPanels } from "./PanelCards";
import { ResultTable } from "./ResultTable";
import type { TabContent } from "./tabContent";
import type { TabId } from "./tabs/tabs";
import { ThresholdsCard } from "./ThresholdsCard";
import { WarningsCard } from "./WarningsCard";

const results = messages("result");
const SeriesSection = onDemand(
  async () => (await withMessages(import("./SeriesSection"))).SeriesSection,
);

/** The content of a tab. Paper has all of them, without what would have to be requested first. */
export function ResultTab({
  tab,
  isPrinting,
  ...content
}: TabContent & { tab: TabId; isPrinting: boolean }) {
  const { model, links, matching } = content;
  const cellHref = links && { cellHref: links.cell };
  const shown = matching.length < model.cells.length ? new Set(matching.map(({ id }) => id)) : null;
  switch (tab) {
    case "overview":
      return <Overview {...content} shown={shown} />;
    case "sweep":
      return <SweepPanels {...content} shown={shown} />;
    case "latency":
      return <LatencyPanels {...content} shown={shown} />;
    case "hops":
      return (
        <HopCostCard
          model={model}
          image={links && ((ladder) => links.image({ kind: "ladder", ladder }))}
          {...cellHref}
        />
      );
    case "trials":
      return <Trials {...content} isPrinting={isPrinting} />;
    case "statistics":
      return <Statistics model={model} links={links} />;
    case "environment":
      return <EnvironmentCard model={model} {...(links && { hostHref: links.host })} />;
  }
}

function Trials({
  model,
  links,
  share,
  trials,
  filter,
  choice,
  choose,
  isPrinting,
}: TabContent & { isPrinting: boolean }) {
  const cellHref = links && { cellHref: links.cell };
  const canRequest = (links !== undefined || share !== undefined) && model.axes.length > 0;
  return (
    <>
      <ResultTable
        model={model}
        filter={filter}
        metric={choice.metric}
        order={choice.order}
        choose={choose}
        {...cellHref}
      />
      {trials}
      {canRequest && !isPrinting && (
        <SeriesSection
          fallback={<Loading label={results("loadingSeries")} rows={6} />}
          {...{ model, links, share, choose }}
          chosen={choice.series}
        />
      )}
      <PivotCard model={model} image={links?.image} {...cellHref} />
    </>
  );
}

function Statistics({ model, links }: Pick<TabContent, "model" | "links">) {
  const cellHref = links && { cellHref: links.cell };
  return (
    <>
      <CountsCard model={model} />
      <ThresholdsCard model={model} {...cellHref} />
      <GapsCard model={model} {...cellHref} />
      <ExcludedCard model={model} links={links} />
      <WarningsCard model={model} {...cellHref} />
      <CheckCards model={model} />
    </>
  );
}

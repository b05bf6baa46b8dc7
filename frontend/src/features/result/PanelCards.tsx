import { useQuery } from "@tanstack/react-query";
import { memo } from "react";
import { queries } from "@/api/queries";
import type { ImageChoice } from "@/api/exports";
import type { ChartModel, ResultPanels } from "@/api/generated";
import { isTerminal } from "@/api/states";
import { KneeCard } from "@/charts/KneeCard";
import { Symbol } from "@/charts/Symbol";
import { onDemand } from "@/components/onDemand";
import { QueryStatus, Loading, Note } from "@/components/Status";
import { messages, withMessages } from "@/messages";
import { seriesColor, seriesShape } from "@/theme/palette";
import type { ResultLinks, ResultShare } from "./links";
import { shownPanels } from "./panelFilter";

const t = messages("result");
const Panels = onDemand(async () => (await withMessages(import("@/charts/panels/Panels"))).Panels);

interface Props {
  model: ChartModel;
  links: ResultLinks | undefined;
  share: ResultShare | undefined;
  /** The ids of the cells that match the filter; null: all. */
  shown: ReadonlySet<string> | null;
}

/** Load, cost and latency across cells; the panels are requested when this is first shown. */
export function PanelCards({ model, links, share, shown }: Props) {
  return (
    <>
      <KneeCard model={model} image={links?.image({ kind: "knee" })} />
      {links && model.axes.length > 0 && <Requested model={model} links={links} shown={shown} />}
      {share?.panels && <Drawn legend={model.legend} panels={share.panels} links={undefined} shown={shown} />}
    </>
  );
}

function Requested({ model, links, shown }: { model: ChartModel; links: ResultLinks; shown: Props["shown"] }) {
  const ended = isTerminal(model.state);
  const panels = useQuery({
    ...queries.resultPanels(model.run_id, ended ? "ended" : model.rounds_complete),
    staleTime: ended ? Infinity : 0,
    placeholderData: (known) => known,
  });
  if (!panels.data) return <QueryStatus query={panels} label={t("loadingPanels")} />;
  return <Drawn legend={model.legend} panels={panels.data} links={links} shown={shown} />;
}

const isEmpty = ({ sweeps, trade_offs, latencies }: ResultPanels) => sweeps.length + trade_offs.length + latencies.length === 0;

/** The panels that match the filter; rendered again only for new panels or another filter. */
const Drawn = memo(function Drawn({ legend, panels, links, shown }: Pick<Props, "links" | "shown"> & { legend: ChartModel["legend"]; panels: ResultPanels }) {
  if (isEmpty(panels)) return <Note tone="info">{t("noPanels")}</Note>;
  const left = shown === null ? panels : shownPanels(panels, shown);
  if (isEmpty(left)) return <Note tone="info">{t("noPanelsLeft")}</Note>;
  return (
    <>
    {shown !== null && <Note tone="info">{t("panelsFiltered")}</Note>}
    <Panels
      fallback={<Loading label={t("loadingPanels")} rows={6} />}
      panels={left}
      legend={legend.map(({ level, label, color, shape }) => ({
        key: level,
        label,
        sample: <Symbol shape={seriesShape(shape)} cx={11} cy={7} size={9} fill={seriesColor(color)} stroke={seriesColor(color)} />,
      }))}
      {...(links && { image: (choice: ImageChoice) => links.image(choice), onCell: (cellId: string) => links.open(links.cell(cellId)) })}
    />
    </>
  );
});

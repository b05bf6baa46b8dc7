import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { queries } from "@/api/queries";
import type { ChartModel } from "@/api/generated";
import { isTerminal } from "@/api/states";
import { KneeCard } from "@/charts/KneeCard";
import { Symbol } from "@/charts/Symbol";
import { QueryStatus, Loading, Note } from "@/components/Status";
import { messages, withMessages } from "@/messages";
import { seriesColor, seriesShape } from "@/theme/palette";
import type { ResultLinks } from "./links";

const t = messages("result");
const Panels = lazy(async () => ({ default: (await withMessages(import("@/charts/panels/Panels"))).Panels }));

interface Props {
  model: ChartModel;
  links: ResultLinks | undefined;
}

/** Load, cost and latency across cells; the panels are requested when this is first shown. */
export function PanelCards({ model, links }: Props) {
  return (
    <>
      <KneeCard model={model} image={links?.image({ kind: "knee" })} />
      {links && model.axes.length > 0 && <Requested model={model} links={links} />}
    </>
  );
}

function Requested({ model, links }: { model: ChartModel; links: ResultLinks }) {
  const ended = isTerminal(model.state);
  const panels = useQuery({
    ...queries.resultPanels(model.run_id, ended ? "ended" : model.rounds_complete),
    staleTime: ended ? Infinity : 0,
    placeholderData: (known) => known,
  });
  if (!panels.data) return <QueryStatus query={panels} label={t("loadingPanels")} />;
  const { sweeps, trade_offs, latencies } = panels.data;
  if (sweeps.length + trade_offs.length + latencies.length === 0) return <Note tone="info">{t("noPanels")}</Note>;
  return (
    <Suspense fallback={<Loading label={t("loadingPanels")} rows={6} />}>
      <Panels
        panels={panels.data}
        legend={model.legend.map(({ level, label, color, shape }) => ({
          key: level,
          label,
          sample: <Symbol shape={seriesShape(shape)} cx={11} cy={7} size={9} fill={seriesColor(color)} stroke={seriesColor(color)} />,
        }))}
        image={(kind) => links.image({ kind })}
        onCell={(cellId) => links.open(links.cell(cellId))}
      />
    </Suspense>
  );
}

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
import { useInView } from "@/components/useInView";
import { messages, withMessages } from "@/messages";
import { seriesColor, seriesShape } from "@/theme/palette";
import type { ResultLinks, ResultShare } from "./links";
import { shownPanels } from "./panelFilter";
import styles from "./ResultView.module.css";

const t = messages("result");
const answer = messages("answer");
const Panels = onDemand(async () => (await withMessages(import("@/charts/panels/Panels"))).Panels);

interface Props {
  model: ChartModel;
  links: ResultLinks | undefined;
  share: ResultShare | undefined;
  /** The ids of the cells that match the filter; null: all. */
  shown: ReadonlySet<string> | null;
}

type Part = "sweeps" | "latencies" | "trade_offs";

/** Throughput and CPU over the varied number, and the knee of each sweep. */
export function SweepPanels(props: Props) {
  const { model, links } = props;
  return (
    <>
      <Part part="sweeps" nothing={answer("noSweep")} {...props} />
      <KneeCard model={model} image={links?.image({ kind: "knee" })} />
    </>
  );
}

/** Latency across cells. */
export function LatencyPanels(props: Props) {
  return <Part part="latencies" nothing={answer("noLatency")} {...props} />;
}

/** How far outside of the window the panels of the overview are requested. */
const NEAR = "50%";

/** Throughput against CPU cost, requested when it is nearly in the visible part. */
export function TradeOffPanels(props: Props) {
  const [ref, isNear] = useInView(NEAR, false);
  const hasCost = props.model.cells.filter(({ cpu }) => cpu.length > 0).length > 1;
  if (!hasCost || (!props.links && !props.share?.panels)) return null;
  return (
    <div ref={ref} className={styles.late}>
      {isNear && <Part part="trade_offs" {...props} />}
    </div>
  );
}

interface PartProps extends Props {
  part: Part;
  /** Said where a part is empty. */
  nothing?: string;
}

/** One part of the panels, which are requested when this is first shown. */
function Part({ model, links, share, ...rest }: PartProps) {
  if (share?.panels)
    return <Drawn legend={model.legend} panels={share.panels} links={undefined} {...rest} />;
  return links && model.axes.length > 0 ? (
    <Requested model={model} links={links} {...rest} />
  ) : null;
}

function Requested({
  model,
  links,
  ...rest
}: Omit<PartProps, "share" | "links"> & { links: ResultLinks }) {
  const ended = isTerminal(model.state);
  const panels = useQuery({
    ...queries.resultPanels(model.run_id, ended ? "ended" : model.rounds_complete),
    staleTime: ended ? Infinity : 0,
    placeholderData: (known) => known,
  });
  if (!panels.data) return <QueryStatus query={panels} label={t("loadingPanels")} />;
  return <Drawn legend={model.legend} panels={panels.data} links={links} {...rest} />;
}

interface DrawnProps extends Pick<PartProps, "links" | "shown" | "part" | "nothing"> {
  legend: ChartModel["legend"];
  panels: ResultPanels;
}

const NONE = { sweeps: [], latencies: [], trade_offs: [] };

/** The panels of a part that match the filter; drawn again only for new panels or filters. */
const Drawn = memo(function Drawn({ legend, panels, links, shown, part, nothing }: DrawnProps) {
  if (panels[part].length === 0)
    return nothing === undefined ? null : <Note tone="info">{nothing}</Note>;
  const left = shown === null ? panels : shownPanels(panels, shown);
  if (left[part].length === 0) return <Note tone="info">{t("noPanelsLeft")}</Note>;
  return (
    <>
      {shown !== null && <Note tone="info">{t("panelsFiltered")}</Note>}
      <Panels
        fallback={<Loading label={t("loadingPanels")} rows={6} />}
        panels={{ ...left, ...NONE, [part]: left[part] }}
        legend={legend.map(({ level, label, color, shape }) => ({
          key: level,
          label,
          sample: (
            <Symbol
              shape={seriesShape(shape)}
              cx={11}
              cy={7}
              size={9}
              fill={seriesColor(color)}
              stroke={seriesColor(color)}
            />
          ),
        }))}
        {...(links && {
          image: (choice: ImageChoice) => links.image(choice),
          onCell: (cellId: string) => links.open(links.cell(cellId)),
        })}
      />
    </>
  );
});

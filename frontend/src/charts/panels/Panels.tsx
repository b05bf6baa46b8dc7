import type { ImageChoice, ImageHref } from "@/api/exports";
import type { ResultPanels } from "@/api/generated";
import type { LegendItem } from "@/charts/Legend";
import { LatencyCard } from "./LatencyCard";
import { SweepCard } from "./SweepCard";
import { TradeOffCard } from "./TradeOffCard";

interface Props {
  panels: ResultPanels;
  /** The levels of the run's series with their colours. */
  legend: readonly LegendItem[];
  onCell?: (cellId: string) => void;
  /** The image addresses of the panels of one kind. */
  image?: (choice: ImageChoice) => ImageHref;
}

/** The panels of a result: sweeps, throughput against cost, latencies. */
export function Panels({ panels: { sweeps, trade_offs, latencies }, legend, onCell, image }: Props) {
  return (
    <>
      {sweeps.map((sweep) => (
        <SweepCard key={`${sweep.factor} ${sweep.axes[0]?.metric}`} sweep={sweep} image={image && ((metric) => image({ kind: "sweep", ...(metric && { metric }) }))} onCell={onCell} />
      ))}
      {trade_offs.map((panel) => (
        <TradeOffCard key={panel.rate_axis.metric} panel={panel} legend={legend} image={image?.({ kind: "trade_off" })} onCell={onCell} />
      ))}
      {latencies.map((panel) => (
        <LatencyCard key={panel.loop} panel={panel} image={image?.({ kind: "latency" })} onCell={onCell} />
      ))}
    </>
  );
}

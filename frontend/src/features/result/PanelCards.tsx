import type { ChartModel } from "@/api/generated";
import { KneeCard } from "@/charts/KneeCard";
import type { ResultLinks } from "./links";

interface Props {
  model: ChartModel;
  links: ResultLinks | undefined;
}

/** Load, cost and latency across cells. */
export function PanelCards({ model, links }: Props) {
  return <KneeCard model={model} image={links?.image({ kind: "knee" })} />;
}

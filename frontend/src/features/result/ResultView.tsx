import { memo } from "react";
import type { ChartModel } from "@/api/generated";
import { HopCostCard } from "@/charts/HopCostCard";
import { PivotCard } from "@/charts/pivot/PivotCard";
import { Note } from "@/components/Status";
import { ThresholdsCard } from "./ThresholdsCard";
import { InterimCard } from "./InterimCard";
import { QualityCard } from "./QualityCard";
import { ResultCharts } from "./ResultCharts";
import type { ResultLinks } from "./links";
import styles from "./ResultView.module.css";
import { ServersCard } from "./ServersCard";
import { DriftChecks, DuplicateChecks } from "./CheckCards";
import { ClaimsCard } from "./ClaimsCard";
import { EnvironmentCard } from "./EnvironmentCard";
import { WarningsCard } from "./WarningsCard";
import { Verdict } from "./Verdict";

interface Props {
  model: ChartModel;
  provisional?: boolean;
  /** Where a cell's and a trial's own pages are; left out, nothing is a link. */
  links?: ResultLinks;
}

/** A run's result, complete: the same for its owner and behind a share link. Live figures beside it leave it as it is. */
export const ResultView = memo(function ResultView({ model, provisional = false, links }: Props) {
  const cellHref = links && { cellHref: links.cell };
  return (
    <div className={styles.result}>
      <Verdict model={model} provisional={provisional} />
      {model.reduced && <Note tone="info">{model.reduced.sentence}</Note>}
      <ThresholdsCard model={model} {...cellHref} />
      <WarningsCard model={model} {...cellHref} />
      <ResultCharts key={model.run_id} model={model} links={links} />
      <HopCostCard model={model} image={links && ((ladder) => links.image({ kind: "ladder", ladder }))} {...cellHref} />
      <PivotCard model={model} image={links?.image} {...cellHref} />
      <div className={styles.pair}>
        <ClaimsCard model={model} />
        <InterimCard model={model} />
        <DuplicateChecks model={model} />
        <QualityCard model={model} />
        <ServersCard model={model} />
        <DriftChecks model={model} />
      </div>
      <EnvironmentCard model={model} {...(links && { hostHref: links.host })} />
    </div>
  );
});

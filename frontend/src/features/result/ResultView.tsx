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
  /** The addresses of the pages of cells and trials; without them nothing is a link. */
  links?: ResultLinks;
}

/** The complete result of a run, also for share links. Memoised: live figures do not render it again. */
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

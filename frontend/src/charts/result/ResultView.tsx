import { memo } from "react";
import type { ChartModel } from "@/api/chart";
import type { ImageChoice, ImageHref } from "@/api/exports";
import { LadderCard } from "@/charts/LadderCard";
import { PivotCard } from "@/charts/pivot/PivotCard";
import { Note } from "@/components/Status";
import { GateCard } from "./GateCard";
import { LooksCard } from "./LooksCard";
import { QualityCard } from "./QualityCard";
import { ResultCharts } from "./ResultCharts";
import styles from "./ResultView.module.css";
import { ServersCard } from "./ServersCard";
import { Claims, DriftChecks, DuplicateChecks, Environment, Warnings } from "./Trust";
import { Verdict } from "./Verdict";

export interface ResultLinks {
  cell: (cellId: string) => string;
  /** The trial of a cell in one round. */
  round: (cellId: string, round: number) => string;
  host: string;
  open: (href: string) => void;
  /** The chart of this choice as an image. */
  image: (choice: ImageChoice) => ImageHref;
}

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
      <GateCard model={model} {...cellHref} />
      <Warnings model={model} {...cellHref} />
      <ResultCharts key={model.run_id} model={model} links={links} />
      <LadderCard model={model} image={links && ((ladder) => links.image({ kind: "ladder", ladder }))} {...cellHref} />
      <PivotCard model={model} image={links?.image} {...cellHref} />
      <div className={styles.pair}>
        <Claims model={model} />
        <LooksCard model={model} />
        <DuplicateChecks model={model} />
        <QualityCard model={model} />
        <ServersCard model={model} />
        <DriftChecks model={model} />
      </div>
      <Environment model={model} {...(links && { hostHref: links.host })} />
    </div>
  );
});

import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import type { ChartCell, ChartModel } from "@/api/generated";
import { isTerminal } from "@/api/states";
import { Combobox } from "@/components/Combobox";
import { onDemand } from "@/components/onDemand";
import { Loading, Note, QueryStatus } from "@/components/Status";
import { messages, withMessages } from "@/messages";
import type { ResultLinks, ResultShare } from "./links";
import styles from "./ResultView.module.css";
import type { Choose } from "./useResultChoice";

const t = messages("result");
const SeriesCard = onDemand(async () => (await withMessages(import("@/charts/series/SeriesCard"))).SeriesCard);

interface Props {
  model: ChartModel;
  links: ResultLinks | undefined;
  share: ResultShare | undefined;
  /** The chosen cell; null or unknown: the first one with trials. */
  chosen: string | null;
  choose: Choose;
}

/** The trials of one cell over time; they are requested when the section is first open, and again after each trial of the cell. */
export function SeriesSection({ model, links, share, chosen, choose }: Props) {
  const cells = model.cells.filter(({ state }) => state !== "infeasible");
  const cell = cells.find(({ id }) => id === chosen) ?? cells.find(({ rounds }) => rounds.length > 0) ?? cells[0];
  if (!cell) return <Note tone="info">{t("seriesNoCell")}</Note>;
  const options = cells.map(({ id, label, reason }) => ({ value: id, label, ...(reason !== null && { detail: reason }) }));
  return (
    <>
      <div className={styles.choice}>
        <Combobox label={t("seriesCell")} options={options} value={{ value: cell.id, label: cell.label }} onChange={(option) => option && choose((known) => ({ ...known, series: option.value }))} />
      </div>
      <Requested model={model} cell={cell} links={links} share={share} />
    </>
  );
}

function Requested({ model, cell, links, share }: Pick<Props, "model" | "links" | "share"> & { cell: ChartCell }) {
  const isFinal = isTerminal(model.state) && share?.isLive !== true;
  const progress = `${cell.rounds.join()} ${cell.left_out.join()}`;
  const series = useQuery({
    ...(share ? queries.shareSeries(share.token, cell.id, progress) : queries.cellSeries(model.run_id, cell.id, progress)),
    staleTime: isFinal ? Infinity : 60_000,
    // Of the same cell only: another cell's lines under this one's name would be wrong.
    placeholderData: (known) => (known?.cell_id === cell.id ? known : undefined),
  });
  if (!series.data) return <QueryStatus query={series} label={t("loadingSeries")} />;
  if (series.data.trials.length === 0) return <Note tone="info">{t("seriesNoTrial")}</Note>;
  if (!series.data.rate && Object.keys(series.data.cpu).length === 0) return <Note tone="info">{t("seriesNothing", { tool: series.data.tool })}</Note>;
  return (
    <SeriesCard
      fallback={<Loading label={t("loadingSeries")} rows={6} />}
      key={cell.id}
      series={series.data}
      cell={cell.label}
      image={links && ((role) => links.image({ kind: "series", cells: cell.id, ...(role && { role: role as NonNullable<Parameters<typeof links.image>[0]["role"]> }) }))}
      onTrial={links && ((round) => links.open(links.round(cell.id, round)))}
    />
  );
}

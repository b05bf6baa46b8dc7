import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { IMAGES, imageUrl, type ImageTheme } from "@/api/exports";
import type { ChartModel } from "@/api/generated";
import { queries } from "@/api/queries";
import { isTerminal } from "@/api/states";
import { DownloadLink } from "@/components/Button";
import { Select } from "@/components/Select";
import { Failure, Loading, Note } from "@/components/Status";
import { Toggle } from "@/components/Toggle";
import { shownTheme } from "@/theme/useTheme";
import { messages } from "@/messages";
import styles from "./ExportContent.module.css";
import { imageChoice, imageDetail, imageKinds } from "./imageKinds";
import { useResult } from "./useResult";

const t = messages("runs");

/** A picture of the result to download, that of throughput and CPU unless another one is chosen. */
export function PictureExport({ runId }: { runId: string }) {
  const result = useResult(runId, { poll: false });
  const hasAxes = (result.data?.axes.length ?? 0) > 0;
  return (
    <section className={styles.part}>
      <h3>{t("picture")}</h3>
      <div className={styles.picture}>
        {result.isPending && <Loading label={t("chartsLoading")} rows={2} />}
        {result.error && !result.data && (
          <Failure error={result.error} retry={() => void result.refetch()} />
        )}
        {result.data && !hasAxes && <Note tone="info">{t("noPicture")}</Note>}
        {result.data && hasAxes && <Choice runId={runId} model={result.data} />}
      </div>
    </section>
  );
}

function Choice({ runId, model }: { runId: string; model: ChartModel }) {
  const requested = useRequested(runId, model);
  const kinds = imageKinds(model, requested);
  const [wanted, setKind] = useState(kinds[0]!.value);
  const [details, setDetails] = useState<Record<string, string>>({});
  const [theme, setTheme] = useState<ImageTheme>(shownTheme);
  const kind = kinds.some(({ value }) => value === wanted) ? wanted : kinds[0]!.value;
  const detail = imageDetail(model, kind, requested);
  const chosen = details[kind] ?? null;
  const choice = imageChoice(model, kind, detail, chosen);
  return (
    <>
      <div className={styles.choices}>
        <Select label={t("imageChart")} options={kinds} value={kind} onChange={setKind} />
        {detail && (
          <Select
            label={detail.label}
            options={detail.options}
            value={chosen ?? detail.options[0]!.value}
            onChange={(value) => setDetails({ ...details, [kind]: value })}
          />
        )}
        <Toggle label={t("imageTheme")} options={themes()} value={theme} onChange={setTheme} />
      </div>
      <div className={styles.downloads}>
        {IMAGES.map(({ format }) => (
          <DownloadLink
            key={format}
            kind={format === "png" ? "primary" : "plain"}
            href={imageUrl(runId, format, theme, choice)}
          >
            {t("imageFormat", { format: format.toUpperCase() })}
          </DownloadLink>
        ))}
      </div>
    </>
  );
}

function themes() {
  return [
    { value: "light", label: t("lightTheme") },
    { value: "dark", label: t("darkTheme") },
  ] as const;
}

/** What the page requests of a result apart from it, and whether there is anything to draw. */
function useRequested(runId: string, model: ChartModel) {
  const ended = isTerminal(model.state);
  const panels = useQuery({
    ...queries.resultPanels(runId, ended ? "ended" : model.rounds_complete),
    staleTime: ended ? Infinity : 60_000,
    retry: false,
  });
  const cell = model.cells.find(({ rounds }) => rounds.length > 0);
  const series = useQuery({
    ...queries.cellSeries(
      runId,
      cell?.id ?? "",
      `${cell?.rounds.join()} ${cell?.left_out.join()}`,
    ),
    enabled: cell !== undefined,
    staleTime: ended ? Infinity : 60_000,
    retry: false,
  });
  const { data } = series;
  const hasSeries = !!data && (!!data.rate || Object.keys(data.cpu).length > 0);
  return { panels: panels.data, hasSeries };
}

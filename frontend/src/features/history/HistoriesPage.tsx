import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { markHistoriesSeen, type HistorySummary } from "@/api/generated";
import { historyHref } from "@/api/historyHref";
import { HISTORIES, queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatNumber, formatZonedTime, sentenceCase } from "@/components/format";
import { metricLabel } from "@/components/metricLabels";
import { PageHead } from "@/components/PageHead";
import { State } from "@/components/State";
import { VERDICTS } from "@/components/stateLabels";
import { Empty, Failure, Note, QueryStatus } from "@/components/Status";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import styles from "./history.module.css";
import { MOST_HISTORIES } from "./limits";
import { shownText } from "./texts";

const t = messages("history");

/** Every experiment of the team over time, by host; those with new changes first. */
export function HistoriesPage() {
  useTitle(t("title"));
  const cache = useQueryClient();
  const histories = useQuery(queries.histories());
  const seen = useMutation({ mutationFn: () => markHistoriesSeen(), onSuccess: () => cache.invalidateQueries({ queryKey: HISTORIES }) });
  const found = histories.data;
  return (
    <>
      <PageHead
        crumbs={[{ label: t("home"), to: "/" }, { label: t("title") }]}
        title={t("title")}
        meta={t("historiesMeta")}
        actions={
          <div className={styles.unseen}>
          <Link to="/schedules">{t("schedules")}</Link>
          {found !== undefined && found.unseen > 0 && (
            <div className={styles.unseen}>
              <span>{t("unseen", { count: found.unseen })}</span>
              <Button busy={seen.isPending} onClick={() => seen.mutate()}>{t("markSeen")}</Button>
            </div>
          )}
          </div>
        }
      />
      {seen.isError && <Failure error={seen.error} />}
      {found !== undefined && found.data.length >= MOST_HISTORIES && <Note tone="info">{t("historiesMost", { most: formatNumber(MOST_HISTORIES) })}</Note>}
      <Card flush={found !== undefined && found.data.length > 0}>
        <QueryStatus query={histories} label={t("loadingHistories")} />
        {found?.data.length === 0 && <Empty level={2} title={t("noHistories")}><p>{t("noHistoriesText")}</p></Empty>}
        {found !== undefined && found.data.length > 0 && (
          <DataTable label={t("title")} columns={[[t("experiment")], [t("host")], [t("runs"), "num"], [t("lastRun")], [t("whatChanged")]]}>
            {found.data.map((one) => (
              <tr key={`${one.experiment_id} ${one.host}`}>
                <th scope="row"><Link to={historyHref(one.experiment_id, one.host)}>{one.title}</Link></th>
                <td data-label={t("host")}>{one.host}</td>
                <td data-label={t("runs")}>{one.runs}</td>
                <td data-label={t("lastRun")}>{formatZonedTime(one.last_run_at)}</td>
                <td data-label={t("whatChanged")}><Changed history={one} /></td>
              </tr>
            ))}
          </DataTable>
        )}
      </Card>
    </>
  );
}

function Changed({ history: { largest, unseen, runs_missing } }: { history: HistorySummary }) {
  if (largest === null) return <span>{runs_missing > 0 ? t("runsMissing", { count: runs_missing }) : t("noChange")}</span>;
  const metric = metricLabel({ metric: largest.metric, label: largest.metric_label });
  return (
    <span>
      <State label={VERDICTS[largest.direction]} />{" "}
      {unseen > 0 && <strong className={styles.new}>● {t("new")}</strong>}
      {shownText(largest, sentenceCase(largest.label), metric)}
    </span>
  );
}

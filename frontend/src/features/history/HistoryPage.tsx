import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { ApiError } from "@/api/errors";
import type { History } from "@/api/generated";
import { historyHref } from "@/api/historyHref";
import { queries } from "@/api/queries";
import { Card } from "@/components/Card";
import { formatTime } from "@/components/format";
import { onDemand } from "@/components/onDemand";
import { PageHead } from "@/components/PageHead";
import { Select } from "@/components/Select";
import { Empty, Loading, QueryStatus } from "@/components/Status";
import { Toggle } from "@/components/Toggle";
import { useAddress } from "@/components/useAddress";
import { useTitle } from "@/components/useTitle";
import { messages, withMessages } from "@/messages";
import { CellList } from "./CellList";
import { ChangeList } from "./ChangeList";
import { cellHistories, type Basis } from "./changes";
import { EnvironmentTable } from "./EnvironmentTable";
import styles from "./history.module.css";

const t = messages("history");
const HistoryChart = onDemand(async () => (await withMessages(import("@/charts/HistoryChart"))).HistoryChart);

/** One experiment over time on one host. */
export function HistoryPage() {
  const { experimentId = "" } = useParams();
  const [query] = useAddress();
  const history = useQuery(queries.history(experimentId, query.get("host")));
  const title = history.data ? t("historyOf", { title: history.data.title }) : t("title");
  useTitle(title);
  const none = history.error instanceof ApiError && history.error.status === 404;
  return (
    <>
      <PageHead
        crumbs={[
          { label: t("home"), to: "/" },
          { label: t("title"), to: "/histories" },
          { label: history.data?.title ?? t("experiment") },
        ]}
        title={title}
        meta={
          history.data && (
            <>
              <span>{history.data.host}</span>
              <Link to={`/schedules?experiment=${history.data.experiment_id}`}>{t("schedules")}</Link>
              <span>{t("shownOf", { shown: history.data.runs_shown, total: history.data.runs_total })}</span>
            </>
          )
        }
      />
      {none ? <Card><Empty level={2} title={t("noRuns")}><p>{t("noRunsText")}</p></Empty></Card> : <QueryStatus query={history} label={t("loadingHistory")} />}
      {history.data && <HistoryView history={history.data} />}
    </>
  );
}

function HistoryView({ history }: { history: History }) {
  const [query, change] = useAddress();
  const [largest] = history.changes;
  const wanted = query.get("metric") ?? largest?.metric;
  const metric = history.metrics.find(({ metric: name }) => name === wanted) ?? history.metrics[0];
  const hasRatios = history.series.some((one) => one.basis === "ratios");
  const basis: Basis = (query.get("basis") ?? largest?.basis) === "values" || !hasRatios ? "values" : "ratios";
  const cells = metric ? cellHistories(history, metric.metric, basis) : [];
  const chosen = cells.find(({ cell }) => cell.id === query.get("cell")) ?? cells[0];
  return (
    <>
      <ChangeList history={history} onChoose={(one) => change({ metric: one.metric, basis: one.basis, cell: one.cell_id })} />
      <div className={styles.controls}>
        {history.hosts.length > 1 && <Select label={t("host")} options={history.hosts.map(({ host }) => ({ value: host, label: host }))} value={history.host} onChange={(host) => change({ host })} />}
        <Select label={t("metric")} options={history.metrics.map((one) => ({ value: one.metric, label: one.label }))} value={metric?.metric ?? ""} onChange={(name) => change({ metric: name })} />
        {hasRatios && <Toggle label={t("basis")} options={[{ value: "ratios", label: t("ratios") }, { value: "values", label: t("values") }]} value={basis} onChange={(to: Basis) => change({ basis: to })} />}
      </div>
      {chosen === undefined || metric === undefined ? (
        <Card><p>{t("noSeries")}</p></Card>
      ) : (
        <>
          <HistoryChart
            fallback={<Loading label={t("loadingHistory")} />}
            title={chosen.cell.label}
            history={history}
            series={chosen.series}
            metric={metric}
            changes={chosen.changes}
            sentence={t("chartSentence", { cell: chosen.cell.label, metric: metric.label, count: history.runs.length, from: formatTime(history.runs[0]?.started_at), to: formatTime(history.runs.at(-1)?.started_at) })}
          />
          <CellList history={history} cells={cells} metric={metric} chosen={chosen.cell.id} onChoose={(cell) => change({ cell })} />
        </>
      )}
      <EnvironmentTable history={history} />
      {history.other_versions.length > 0 && (
        <Card title={t("otherVersions")} note={t("otherVersionsNote")}>
          <ul>
            {history.other_versions.map((one) => (
              <li key={one.experiment_id}>
                <Link to={historyHref(one.experiment_id, history.host)}>{one.title}</Link>: {t("otherVersionRuns", { count: one.runs })}, {t("sameCells", { count: one.same_cells })}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

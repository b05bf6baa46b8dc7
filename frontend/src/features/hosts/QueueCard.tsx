import { Link } from "react-router";
import type { HostDetail } from "@/api/generated";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatNumber, formatTime } from "@/components/format";
import { State } from "@/components/State";
import { RUN_STATES } from "@/components/stateLabels";
import table from "@/components/table.module.css";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import { DrainButton } from "./DrainButton";
import styles from "./HostPage.module.css";

const t = messages("hosts");

/** The trial that a host runs now, and the runs that wait on it. */
export function QueueCard({ host }: { host: HostDetail }) {
  const { queue } = host;
  return (
    <Card title={t("queue")} note={t("queueNote", { count: queue.queued_trials, running: formatNumber(queue.running_trials) })} actions={<DrainButton host={host} />} flush={queue.runs.length > 0}>
      <p className={queue.runs.length > 0 ? styles.about : styles.none}>
        <Current host={host} />
      </p>
      {queue.runs.length > 0 && (
        <DataTable label={t("runsInQueue")} columns={[[t("run")], [t("team")], [t("state")], [t("queuedTrials"), "num"]]}>
          {queue.runs.map((run) => (
            <tr key={run.id}>
              <th scope="row">
                <Link to={`/runs/${run.id}`}>{run.title}</Link>
              </th>
              <td data-label={t("team")}>{run.team}</td>
              <td data-label={t("state")}>
                <State label={RUN_STATES[run.state]} />
              </td>
              <td data-label={t("queuedTrials")} className={table.num}>
                {formatNumber(run.queued_trials)}
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      {queue.other_runs > 0 && <p className={styles.others}>{t(queue.runs.length > 0 ? "andOtherRuns" : "onlyOtherRuns", { count: queue.other_runs })}</p>}
    </Card>
  );
}

function Current({ host: { current } }: { host: HostDetail }) {
  if (!current) return <>{t("noTrial")}</>;
  const since = formatTime(current.started_at);
  if (!current.run_id) return <>{t("otherTeamRuns", { since })}</>;
  return (
    <RichText namespace="hosts" id="currentTrial" values={{ label: current.label ?? "", round: current.round ?? "", title: current.title ?? "", since }} parts={{ run: <Link to={`/runs/${current.run_id}`} /> }} />
  );
}

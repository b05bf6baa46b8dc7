import { Link } from "react-router";
import type { HostDetail } from "@/api/generated";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatNumber, formatTime, plural } from "@/components/format";
import { State } from "@/components/State";
import { RUN_STATES } from "@/components/stateLabels";
import table from "@/components/table.module.css";
import { DrainButton } from "./DrainButton";
import styles from "./HostPage.module.css";

/** The trial that a host runs now, and the runs that wait on it. */
export function QueueCard({ host }: { host: HostDetail }) {
  const { queue } = host;
  return (
    <Card title="Queue" note={`${plural(queue.queued_trials, "trial")} queued, ${formatNumber(queue.running_trials)} running`} actions={<DrainButton host={host} />} flush={queue.runs.length > 0}>
      <p className={queue.runs.length > 0 ? styles.about : styles.none}>
        <Current host={host} />
      </p>
      {queue.runs.length > 0 && (
        <DataTable label="Runs in the queue" columns={[["Run"], ["Team"], ["State"], ["Queued trials", "num"]]}>
          {queue.runs.map((run) => (
            <tr key={run.id}>
              <th scope="row">
                <Link to={`/runs/${run.id}`}>{run.title}</Link>
              </th>
              <td data-label="Team">{run.team}</td>
              <td data-label="State">
                <State label={RUN_STATES[run.state]} />
              </td>
              <td data-label="Queued trials" className={table.num}>
                {formatNumber(run.queued_trials)}
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      {queue.other_runs > 0 && <p className={styles.others}>{queue.runs.length > 0 ? "And " : ""}{plural(queue.other_runs, "run")} of other teams.</p>}
    </Card>
  );
}

function Current({ host: { current } }: { host: HostDetail }) {
  if (!current) return <>No trial runs now.</>;
  const since = `since ${formatTime(current.started_at)}`;
  if (!current.run_id) return <>A trial of another team runs {since}.</>;
  return (
    <>
      Now: {current.label}, round {current.round} of <Link to={`/runs/${current.run_id}`}>{current.title}</Link>, {since}.
    </>
  );
}

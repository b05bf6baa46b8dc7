import { Link } from "react-router";
import { hostHref } from "@/api/capabilities";
import type { ChangedHistory, Changes } from "@/api/generated";
import { historyHref } from "@/api/historyHref";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { formatChange } from "@/components/effect";
import { formatZonedTime } from "@/components/format";
import { RelativeTime } from "@/components/RelativeTime";
import { State } from "@/components/State";
import { RUN_STATES, VERDICTS } from "@/components/stateLabels";
import { useNow } from "@/components/useNow";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import styles from "./ChangesCard.module.css";

const t = messages("home");

interface Props {
  changes: Changes;
  busy: boolean;
  onSeen: () => void;
}

/** What changed since the last visit: histories, ended runs, exclusions with their reasons, notes, hosts. */
export function ChangesCard({ changes, busy, onSeen }: Props) {
  const now = useNow();
  const { runs, exclusions, notes, hosts_new, hosts_gone, histories = [] } = changes;
  const further = changes.done + changes.incomplete + changes.cancelled - runs.reduce((sum, each) => sum + (each.runs ?? 1), 0);
  const isEmpty = [histories, runs, exclusions, notes, hosts_new, hosts_gone].every(({ length }) => length === 0);
  return (
    <Card title={t("changesTitle")} note={t("changesSince", { time: formatZonedTime(changes.since) })} actions={isEmpty ? undefined : <Button kind="ghost" busy={busy} onClick={onSeen}>{t("changesSeen")}</Button>}>
      {isEmpty && <p className={styles.none}>{t("changesNone")}</p>}
      <ul className={styles.changes}>
        {histories.map((one) => (
          <Line key={`${one.experiment_id} ${one.host}`} at={one.at} now={now}>
            <HistoryChange change={one} />
          </Line>
        ))}
        {runs.map(({ id, title, state, finished_at, runs: alike = 1 }) => (
          <Line key={id} at={finished_at} now={now}>
            <State label={RUN_STATES[state]} /> <Link to={`/runs/${id}`}>{title}</Link>
            {alike > 1 && t("changedAlike", { count: alike })}
          </Line>
        ))}
        {further > 0 && <li className={styles.none}>{t("changesFurther", { count: further })}</li>}
        {exclusions.map(({ run_id, trial_id, title, reason, by, at }) => (
          <Line key={`${trial_id}${at}`} at={at} now={now}>
            <RichText namespace="home" id={reason === null ? "changedIncluded" : "changedExcluded"} values={{ by, title, reason: reason ?? "" }} parts={{ run: <Link to={`/runs/${run_id}/trials/${trial_id}`} /> }} />
          </Line>
        ))}
        {notes.map(({ run_id, title, by, at }) => (
          <Line key={`${run_id}${by}`} at={at} now={now}>
            <RichText namespace="home" id="changedNote" values={{ by, title }} parts={{ run: <Link to={`/runs/${run_id}`} /> }} />
          </Line>
        ))}
        {hosts_new.map(({ name, at }) => (
          <Line key={`new ${name}`} at={at} now={now}>
            <RichText namespace="home" id="changedHostNew" values={{ name }} parts={{ host: <Link to={hostHref(name)} /> }} />
          </Line>
        ))}
        {hosts_gone.map(({ name, at }) => (
          <Line key={`gone ${name}`} at={at} now={now}>
            <RichText namespace="home" id="changedHostGone" values={{ name }} parts={{ host: <Link to={hostHref(name)} /> }} />
          </Line>
        ))}
      </ul>
    </Card>
  );
}

/** The largest change of a history, in which cell, and since which run; and how many more there are. */
function HistoryChange({ change }: { change: ChangedHistory }) {
  const { experiment_id, title, host, cell_id, label, metric, basis, direction, run_id } = change;
  const what = t(basis === "ratios" ? "changedRatio" : "changedValue", { cell: label, metric: change.metric_label, change: formatChange(change.ratio) });
  return (
    <>
      <State label={VERDICTS[direction]} />{" "}
      <RichText namespace="home" id="changedHistory" values={{ title, host, what, run: formatZonedTime(change.run_at) }} parts={{ history: <Link to={historyHref(experiment_id, host, { metric, basis, cell: cell_id })} />, run: <Link to={`/runs/${run_id}`} /> }} />
      {change.changes > 1 && t("changedHistoryMore", { count: change.changes - 1 })}
    </>
  );
}

function Line({ at, now, children }: { at: string; now: number; children: React.ReactNode }) {
  return (
    <li className={styles.change}>
      <span>{children}</span>
      <span className={styles.time}>
        <RelativeTime value={at} now={now} />
      </span>
    </li>
  );
}

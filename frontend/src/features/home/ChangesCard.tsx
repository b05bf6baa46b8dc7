import { useState } from "react";
import { Link } from "react-router";
import { hostHref } from "@/api/capabilities";
import type { ChangedHistory, Changes } from "@/api/generated";
import { historyHref } from "@/api/historyHref";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { formatChange, formatDifference } from "@/components/effect";
import { formatZonedTime } from "@/components/format";
import { RelativeTime } from "@/components/RelativeTime";
import { State } from "@/components/State";
import { RUN_STATES, VERDICTS } from "@/components/stateLabels";
import { useNow } from "@/components/useNow";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import styles from "./ChangesCard.module.css";

const t = messages("home");
const SHOWN = 3;

interface Props {
  changes: Changes;
  busy: boolean;
  onSeen: () => void;
}

interface ChangeLine {
  key: string;
  at: string;
  content: React.ReactNode;
}

/** What changed since the last visit: histories, ended runs, exclusions, notes, hosts. */
export function ChangesCard({ changes, busy, onSeen }: Props) {
  const now = useNow();
  const [all, setAll] = useState(false);
  const lines = linesOf(changes);
  const shown = all ? lines : lines.slice(0, SHOWN);
  const named = changes.runs.reduce((sum, each) => sum + (each.runs ?? 1), 0);
  const further = changes.done + changes.incomplete + changes.cancelled - named;
  const actions = (
    <Button kind="ghost" busy={busy} onClick={onSeen}>
      {t("changesSeen")}
    </Button>
  );
  return (
    <Card
      title={t("changesTitle")}
      note={t("changesSince", { time: formatZonedTime(changes.since) })}
      actions={lines.length > 0 ? actions : undefined}
    >
      {lines.length === 0 && <p className={styles.none}>{t("changesNone")}</p>}
      <ul className={styles.changes}>
        {shown.map(({ key, at, content }) => (
          <li key={key} className={styles.change}>
            <span>{content}</span>
            <span className={styles.time}>
              <RelativeTime value={at} now={now} />
            </span>
          </li>
        ))}
        {further > 0 && shown.length === lines.length && (
          <li className={styles.none}>{t("changesFurther", { count: further })}</li>
        )}
      </ul>
      {shown.length < lines.length && (
        <Button kind="ghost" onClick={() => setAll(true)}>
          {t("showMore", { count: lines.length - shown.length })}
        </Button>
      )}
    </Card>
  );
}

/** Returns one line for each change: histories first, then runs, exclusions, notes and hosts. */
function linesOf(changes: Changes): ChangeLine[] {
  const { runs, exclusions, notes, hosts_new, hosts_gone, histories = [] } = changes;
  const host = (id: "changedHostNew" | "changedHostGone", name: string) => (
    <RichText
      namespace="home"
      id={id}
      values={{ name }}
      parts={{ host: <Link to={hostHref(name)} /> }}
    />
  );
  return [
    ...histories.map((one) => ({
      key: `history ${one.experiment_id} ${one.host}`,
      at: one.at,
      content: <HistoryChange change={one} />,
    })),
    ...runs.map(({ id, title, state, finished_at, runs: alike = 1 }) => ({
      key: id,
      at: finished_at,
      content: (
        <>
          <State label={RUN_STATES[state]} /> <Link to={`/runs/${id}`}>{title}</Link>
          {alike > 1 && t("changedAlike", { count: alike })}
        </>
      ),
    })),
    ...exclusions.map(({ run_id, trial_id, title, reason, by, at }) => ({
      key: `${trial_id}${at}`,
      at,
      content: (
        <RichText
          namespace="home"
          id={reason === null ? "changedIncluded" : "changedExcluded"}
          values={{ by, title, reason: reason ?? "" }}
          parts={{ run: <Link to={`/runs/${run_id}/trials/${trial_id}`} /> }}
        />
      ),
    })),
    ...notes.map(({ run_id, title, by, at }) => ({
      key: `${run_id}${by}`,
      at,
      content: (
        <RichText
          namespace="home"
          id="changedNote"
          values={{ by, title }}
          parts={{ run: <Link to={`/runs/${run_id}`} /> }}
        />
      ),
    })),
    ...hosts_new.map(({ name, at }) => ({
      key: `new ${name}`,
      at,
      content: host("changedHostNew", name),
    })),
    ...hosts_gone.map(({ name, at }) => ({
      key: `gone ${name}`,
      at,
      content: host("changedHostGone", name),
    })),
  ];
}

/** The largest change of a history, in which cell, since which run; and how many more there are. */
function HistoryChange({ change }: { change: ChangedHistory }) {
  const { experiment_id, title, host, cell_id, label, metric, basis, direction, run_id } = change;
  const what = t(basis === "ratios" ? "changedRatio" : "changedValue", {
    cell: label,
    metric: change.metric_label,
    change: sizeOf(change),
  });
  const history = historyHref(experiment_id, host, { metric, basis, cell: cell_id });
  return (
    <>
      <State label={VERDICTS[direction]} />{" "}
      <RichText
        namespace="home"
        id="changedHistory"
        values={{ title, host, what, run: formatZonedTime(change.run_at) }}
        parts={{ history: <Link to={history} />, run: <Link to={`/runs/${run_id}`} /> }}
      />
      {change.changes > 1 && t("changedHistoryMore", { count: change.changes - 1 })}
    </>
  );
}

/** "−30.0 %"; "+4.1 /txn" where a value of the series is zero. */
function sizeOf({ ratio, difference }: ChangedHistory): string {
  if (difference) return formatDifference(difference);
  return ratio === null ? "–" : formatChange(ratio);
}

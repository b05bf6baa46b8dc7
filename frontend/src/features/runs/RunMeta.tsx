import { Link } from "react-router";
import { hostHref } from "@/api/capabilities";
import type { Run } from "@/api/generated";
import { formatDuration, formatTime } from "@/components/format";
import { StateBadge } from "@/components/State";
import { IMPORTED, RUN_STATES } from "@/components/stateLabels";

/** State, host, time and seed of a run. */
export function RunMeta({ run }: { run: Run }) {
  const seconds = run.started_at && run.finished_at ? (Date.parse(run.finished_at) - Date.parse(run.started_at)) / 1000 : null;
  return (
    <>
      <StateBadge label={RUN_STATES[run.state]}>{run.cancel_requested && run.finished_at === null ? "cancelling" : RUN_STATES[run.state].word}</StateBadge>
      <span>on <Link to={hostHref(run.host)}>{run.host}</Link>{run.client_host && <>, remote clients on <Link to={hostHref(run.client_host)}>{run.client_host}</Link></>}</span>
      <span>{formatTime(run.started_at ?? run.created_at)}</span>
      {run.origin === "imported" && <StateBadge label={IMPORTED} />}
      {seconds !== null && run.origin !== "imported" && <span>took {formatDuration(seconds)}</span>}
      <span>seed {run.seed}</span>
      {run.group_id && <Link to={`/run-groups/${run.group_id}`}>one of several hosts</Link>}
      <code>{run.id}</code>
    </>
  );
}

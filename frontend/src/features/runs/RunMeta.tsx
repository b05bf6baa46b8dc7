import { Link } from "react-router";
import { hostHref } from "@/api/capabilities";
import type { Run } from "@/api/generated";
import { historyHref } from "@/api/historyHref";
import { formatDuration, formatZonedTime } from "@/components/format";
import { StateBadge } from "@/components/State";
import { IMPORTED, RUN_STATES } from "@/components/stateLabels";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";

const t = messages("runs");

/** State, host, time and seed of a run. */
export function RunMeta({ run }: { run: Run }) {
  const seconds = run.started_at && run.finished_at ? (Date.parse(run.finished_at) - Date.parse(run.started_at)) / 1000 : null;
  return (
    <>
      <StateBadge label={RUN_STATES[run.state]}>{run.cancel_requested && run.finished_at === null ? t("cancelling") : RUN_STATES[run.state].word}</StateBadge>
      <span>
        {run.client_host ? (
          <RichText namespace="runs" id="onTwoHosts" values={{ host: run.host, client: run.client_host }} parts={{ host: <Link to={hostHref(run.host)} />, client: <Link to={hostHref(run.client_host)} /> }} />
        ) : (
          <RichText namespace="runs" id="onHost" values={{ host: run.host }} parts={{ host: <Link to={hostHref(run.host)} /> }} />
        )}
      </span>
      <span>{formatZonedTime(run.started_at ?? run.created_at)}</span>
      {run.origin === "imported" && <StateBadge label={IMPORTED} />}
      {seconds !== null && run.origin !== "imported" && <span>{t("took", { time: formatDuration(seconds) })}</span>}
      <span>{t("seed", { seed: run.seed })}</span>
      {run.group_id && <Link to={`/run-groups/${run.group_id}`}>{t("ofGroup")}</Link>}
      {run.origin === "measured" && <Link to={historyHref(run.experiment_id, run.host)}>{t("history")}</Link>}
      {run.origin === "measured" && <Link to={`/schedules?experiment=${run.experiment_id}`}>{t("schedules")}</Link>}
      <code>{run.id}</code>
    </>
  );
}

import { Link } from "react-router";
import { hostHref } from "@/api/capabilities";
import type { Run } from "@/api/generated";
import { formatDuration, formatZonedTime } from "@/components/format";
import { StateBadge } from "@/components/State";
import { RUN_STATES } from "@/components/stateLabels";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";

const t = messages("runs");

/** State, host and time of a run. */
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
      {seconds !== null && run.origin !== "imported" && <span>{t("took", { time: formatDuration(seconds) })}</span>}
      {run.group_id && <Link to={`/run-groups/${run.group_id}`}>{t("ofGroup")}</Link>}
    </>
  );
}

import { Link } from "react-router";
import { hostHref } from "@/api/capabilities";
import type { GroupMember, RunGroup } from "@/api/generated";
import { isTerminal } from "@/api/states";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatDuration } from "@/components/format";
import { Progress } from "@/components/Progress";
import { StateBadge } from "@/components/State";
import { DELETED, RUN_STATES } from "@/components/stateLabels";
import table from "@/components/table.module.css";
import { messages } from "@/messages";

const t = messages("groups");

/** The runs of a group, each with its state and a link. */
export function MemberList({ group: { members, client_host: clientHost } }: { group: RunGroup }) {
  return (
    <Card title={t("runs")} note={clientHost ? t("eachHostClients", { host: clientHost }) : t("eachHost")} flush>
      <DataTable label={t("runsOfGroup")} columns={[[t("host")], [t("state")], [t("trials")], [t("cannotRun"), "num"], [t("run")]]}>
        {members.map((member) => (
          <MemberRow key={member.host} member={member} />
        ))}
      </DataTable>
    </Card>
  );
}

function MemberRow({ member }: { member: GroupMember }) {
  const { progress } = member;
  const active = member.state !== "deleted" && !isTerminal(member.state);
  return (
    <tr>
      <th scope="row"><Link to={hostHref(member.host)}>{member.host}</Link></th>
      <td data-label={t("stateLabel")}>
        <StateBadge label={member.state === "deleted" ? DELETED : RUN_STATES[member.state]}>{member.cancel_requested && active ? t("cancellingState") : undefined}</StateBadge>
      </td>
      <td data-label={t("trialsLabel")}>
        {progress && (
          <>
            {active && <Progress done={progress.done + progress.skipped} failed={progress.failed} total={progress.total} label={t("trialsDoneOn", { host: member.host })} />}
            {t("trialsDone", { done: progress.done + progress.failed, count: progress.total })}
            {progress.failed > 0 && t("failed", { count: progress.failed })}
            {active && progress.eta_s !== null && t("left", { time: formatDuration(progress.eta_s) })}
          </>
        )}
      </td>
      <td data-label={t("cannotRunLabel")} className={table.num}>{member.infeasible_cells}</td>
      <td data-label={t("runLabel")}>{member.run_id === null ? t("runDeleted") : <Link to={`/runs/${member.run_id}`}>{t("openRun")}</Link>}</td>
    </tr>
  );
}

import { Link } from "react-router";
import { hostHref } from "@/api/capabilities";
import type { GroupMember, RunGroup } from "@/api/generated";
import { isTerminal } from "@/api/states";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatDuration, plural } from "@/components/format";
import { Progress } from "@/components/Progress";
import { StateBadge } from "@/components/State";
import { DELETED, RUN_STATES } from "@/components/stateLabels";
import table from "@/components/table.module.css";

/** The runs of a group, each with its state and a link. */
export function MemberList({ group: { members, client_host: clientHost } }: { group: RunGroup }) {
  return (
    <Card title="Runs" note={`Each host measures by itself, with rounds and a baseline of its own${clientHost ? `; clients of remote paths run on ${clientHost}` : ""}`} flush>
      <DataTable label="Runs of the group" columns={[["Host"], ["State"], ["Trials"], ["Cells that cannot run", "num"], ["Run"]]}>
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
      <td data-label="state">
        <StateBadge label={member.state === "deleted" ? DELETED : RUN_STATES[member.state]}>{member.cancel_requested && active ? "cancelling" : undefined}</StateBadge>
      </td>
      <td data-label="trials">
        {progress && (
          <>
            {active && <Progress done={progress.done + progress.skipped} failed={progress.failed} total={progress.total} label={`Trials done on ${member.host}`} />}
            {progress.done + progress.failed} of {plural(progress.total, "trial")}
            {progress.failed > 0 && `, ${progress.failed} failed`}
            {active && progress.eta_s !== null && ` · ${formatDuration(progress.eta_s)} left`}
          </>
        )}
      </td>
      <td data-label="cells that cannot run" className={table.num}>{member.infeasible_cells}</td>
      <td data-label="run">{member.run_id === null ? "its run was deleted" : <Link to={`/runs/${member.run_id}`}>Open the run</Link>}</td>
    </tr>
  );
}

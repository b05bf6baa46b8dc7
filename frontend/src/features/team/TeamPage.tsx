import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { listMembers, removeMember, updateMember, type MemberEntry } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatTime } from "@/components/format";
import { Select } from "@/components/Select";
import { Failure, QueryStatus } from "@/components/Status";
import { useMay } from "@/components/useMay";
import { useTitle } from "@/components/useTitle";
import { Invitations } from "./Invitations";
import { ROLES } from "./roles";
import { SecondFactorRule } from "./SecondFactorRule";
import { TeamHead } from "./TeamHead";

const COLUMNS = [["Name"], ["Role"], ["Member since"], [<span key="remove" className="visually-hidden">Remove</span>]] as const;

/** The members of the team; for its administrators also the invitations. */
export function TeamPage() {
  useTitle("Team");
  const mayChange = useMay("admin");
  const members = useQuery({ queryKey: ["members"], queryFn: async () => (await listMembers()).data });
  return (
    <>
      <TeamHead page="Members" meta={mayChange ? undefined : "Only administrators of the team invite members and change roles."} />
      {mayChange && <Invitations />}
      <SecondFactorRule members={members.data} mayChange={mayChange} />
      <Card title="Members" flush>
        <QueryStatus query={members} label="Loading the members" />
        {members.data && (
          <DataTable label="Members" columns={COLUMNS}>
            {members.data.map((member) => (
              <MemberRow key={member.account_id} member={member} mayChange={mayChange} />
            ))}
          </DataTable>
        )}
      </Card>
    </>
  );
}

function MemberRow({ member, mayChange }: { member: MemberEntry; mayChange: boolean }) {
  const client = useQueryClient();
  const path = { account_id: member.account_id };
  const onSuccess = () => Promise.all([client.invalidateQueries({ queryKey: ["members"] }), client.invalidateQueries({ queryKey: queries.session().queryKey })]);
  const change = useMutation({ mutationFn: (role: MemberEntry["role"]) => updateMember({ path, body: { role } }), onSuccess });
  const remove = useMutation({ mutationFn: () => removeMember({ path }), onSuccess });
  const error = change.error ?? remove.error;
  return (
    <tr>
      <th scope="row">
        {member.name}
        {member.email && <div>{member.email}</div>}
        {error && <Failure error={error} />}
      </th>
      <td data-label="Role">{mayChange ? <Select label={`Role of ${member.name}`} options={ROLES} value={member.role} onChange={(role) => change.mutate(role)} /> : member.role}</td>
      <td data-label="Member since">{formatTime(member.joined_at)}</td>
      <td>
        {mayChange && (
          <Button kind="danger" busy={remove.isPending} aria-label={`Remove ${member.name} from the team`} onClick={() => window.confirm(`Remove ${member.name} from the team?`) && remove.mutate()}>
            Remove
          </Button>
        )}
      </td>
    </tr>
  );
}

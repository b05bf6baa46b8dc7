import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { listMembers, removeMember, updateMember, type MemberEntry } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatTime } from "@/components/format";
import { roleName } from "@/components/roleName";
import { Select } from "@/components/Select";
import { Failure, QueryStatus } from "@/components/Status";
import { useMay } from "@/components/useMay";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import { Invitations } from "./Invitations";
import { roles } from "./roles";
import { SecondFactorRule } from "./SecondFactorRule";
import { TeamHead } from "./TeamHead";

const t = messages("team");

const columns = () => [[t("name")], [t("role")], [t("memberSince")], [<span key="remove" className="visually-hidden">{t("remove")}</span>]] as const;

/** The members of the team; for its administrators also the invitations. */
export function TeamPage() {
  useTitle(t("team"));
  const mayChange = useMay("admin");
  const members = useQuery({ queryKey: ["members"], queryFn: async () => (await listMembers()).data });
  return (
    <>
      <TeamHead page="members" meta={mayChange ? undefined : t("onlyAdmins")} />
      {mayChange && <Invitations />}
      <SecondFactorRule members={members.data} mayChange={mayChange} />
      <Card title={t("members")} flush>
        <QueryStatus query={members} label={t("loadingMembers")} />
        {members.data && (
          <DataTable label={t("members")} columns={columns()}>
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
      <td data-label={t("role")}>{mayChange ? <Select label={t("roleOf", { name: member.name })} options={roles()} value={member.role} onChange={(role) => change.mutate(role)} /> : roleName(member.role)}</td>
      <td data-label={t("memberSince")}>{formatTime(member.joined_at)}</td>
      <td>
        {mayChange && (
          <Button kind="danger" busy={remove.isPending} aria-label={t("removeMember", { name: member.name })} onClick={() => window.confirm(t("removeQuestion", { name: member.name })) && remove.mutate()}>
            {t("remove")}
          </Button>
        )}
      </td>
    </tr>
  );
}

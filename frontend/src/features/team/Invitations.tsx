import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createInvitation, listInvitations, revokeInvitation, type MemberEntry } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatTime } from "@/components/format";
import { SecretOnce } from "@/components/SecretOnce";
import { Select } from "@/components/Select";
import { Failure, QueryStatus } from "@/components/Status";
import { ROLES } from "./roles";
import styles from "./Invitations.module.css";

const KEY = ["invitations"];
const COLUMNS = [["For"], ["Role"], ["Invited by"], ["Until"], [<span key="revoke" className="visually-hidden">Revoke</span>]] as const;

/** Makes invitations, and lists those that can still be accepted. */
export function Invitations() {
  const client = useQueryClient();
  const [role, setRole] = useState<MemberEntry["role"]>("runner");
  const [email, setEmail] = useState("");
  const open = useQuery({ queryKey: KEY, queryFn: async () => (await listInvitations()).data });
  const onSuccess = () => client.invalidateQueries({ queryKey: KEY });
  const invite = useMutation({ mutationFn: () => createInvitation({ body: { role, ...(email.trim() && { email: email.trim() }) } }), onSuccess });
  const revoke = useMutation({ mutationFn: (id: string) => revokeInvitation({ path: { invitation_id: id } }), onSuccess });
  const error = invite.error ?? revoke.error;
  return (
    <Card title="Invitations" note="A link that works once, within 7 days. Send it to the person yourself.">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          invite.mutate();
        }}
      >
        <Select label="Role" options={ROLES} value={role} onChange={setRole} />
        <input type="email" aria-label="Email address, if you like" placeholder="email, if you like" value={email} onChange={(event) => setEmail(event.target.value)} maxLength={254} />
        <Button kind="primary" type="submit" busy={invite.isPending}>
          Invite
        </Button>
      </form>
      {error && <Failure error={error} />}
      {invite.data && <SecretOnce label="Invitation" text={invite.data.url} note={`The link is shown only once. It works until ${formatTime(invite.data.expires_at)}.`} />}
      <QueryStatus query={open} label="Loading the invitations" rows={1} />
      {open.data && open.data.length > 0 && (
        <DataTable label="Invitations" columns={COLUMNS}>
          {open.data.map((each) => (
            <tr key={each.id}>
              <th scope="row">{each.email ?? "anybody with the link"}</th>
              <td data-label="Role">{each.role}</td>
              <td data-label="Invited by">{each.created_by ?? "a deleted account"}</td>
              <td data-label="Until">{formatTime(each.expires_at)}</td>
              <td>
                <Button kind="danger" onClick={() => revoke.mutate(each.id)} aria-label={`Revoke the invitation for ${each.email ?? each.role}`}>
                  Revoke
                </Button>
              </td>
            </tr>
          ))}
        </DataTable>
      )}
    </Card>
  );
}

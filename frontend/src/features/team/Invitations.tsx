import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createInvitation, listInvitations, revokeInvitation, type MemberEntry } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatTime } from "@/components/format";
import { roleName } from "@/components/roleName";
import { SecretOnce } from "@/components/SecretOnce";
import { Select } from "@/components/Select";
import { Failure, QueryStatus } from "@/components/Status";
import { messages } from "@/messages";
import { roles } from "./roles";
import styles from "./Invitations.module.css";

const t = messages("team");

const KEY = ["invitations"];
const columns = () => [[t("for")], [t("role")], [t("invitedBy")], [t("until")], [<span key="revoke" className="visually-hidden">{t("revoke")}</span>]] as const;

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
    <Card title={t("invitations")} note={t("invitationsNote")}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          invite.mutate();
        }}
      >
        <Select label={t("role")} options={roles()} value={role} onChange={setRole} />
        <input type="email" aria-label={t("emailOptional")} placeholder={t("emailPlaceholder")} value={email} onChange={(event) => setEmail(event.target.value)} maxLength={254} />
        <Button kind="primary" type="submit" busy={invite.isPending}>
          {t("invite")}
        </Button>
      </form>
      {error && <Failure error={error} />}
      {invite.data && <SecretOnce label={t("invitation")} text={invite.data.url} note={t("linkNote", { at: formatTime(invite.data.expires_at) })} />}
      <QueryStatus query={open} label={t("loadingInvitations")} rows={1} />
      {open.data && open.data.length > 0 && (
        <DataTable label={t("invitations")} columns={columns()}>
          {open.data.map((each) => (
            <tr key={each.id}>
              <th scope="row">{each.email ?? t("anybody")}</th>
              <td data-label={t("role")}>{roleName(each.role)}</td>
              <td data-label={t("invitedBy")}>{each.created_by ?? t("deletedAccount")}</td>
              <td data-label={t("until")}>{formatTime(each.expires_at)}</td>
              <td>
                <Button kind="danger" onClick={() => revoke.mutate(each.id)} aria-label={t("revokeInvitation", { name: each.email ?? each.role })}>
                  {t("revoke")}
                </Button>
              </td>
            </tr>
          ))}
        </DataTable>
      )}
    </Card>
  );
}

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createTeamInvitation, deleteTeam, updateTeam, type TeamEntry } from "@/api/generated";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { Field } from "@/components/Field";
import { formatTime } from "@/components/format";
import { SecretOnce } from "@/components/SecretOnce";
import { Select } from "@/components/Select";
import { Failure } from "@/components/Status";
import { messages } from "@/messages";
import styles from "./Administration.module.css";
import { Quotas } from "./Quotas";
import { roles, type Role } from "./roles";
import { TEAMS } from "./usePages";

const t = messages("administration");

interface Props {
  team: TeamEntry;
  onClose: () => void;
}

/** Name, invitations, quotas and deletion of one team. */
export function TeamDialog({ team, onClose }: Props) {
  return (
    <Dialog title={team.name} open onClose={onClose} wide actions={<Button onClick={onClose}>{t("close")}</Button>}>
      <Name team={team} />
      <Invitation team={team} />
      <Quotas team={team} />
      <Deletion team={team} onDeleted={onClose} />
    </Dialog>
  );
}

function Name({ team }: { team: TeamEntry }) {
  const client = useQueryClient();
  const [name, setName] = useState(team.name);
  const rename = useMutation({
    mutationFn: () => updateTeam({ path: { team_id: team.id }, body: { name: name.trim() } }),
    onSuccess: () => client.invalidateQueries({ queryKey: TEAMS }),
  });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        rename.mutate();
      }}
    >
      <Field label={t("name")} errors={[]}>
        {(ids) => <input {...ids} required maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Button type="submit" busy={rename.isPending} disabled={name.trim() === team.name}>
        {t("rename")}
      </Button>
      {rename.error && <Failure error={rename.error} />}
    </form>
  );
}

function Invitation({ team }: { team: TeamEntry }) {
  const [role, setRole] = useState<Role>("admin");
  const invite = useMutation({ mutationFn: () => createTeamInvitation({ path: { team_id: team.id }, body: { role } }) });
  return (
    <section className={styles.section} aria-label={t("invitation")}>
      <h3>{t("invitation")}</h3>
      <p>{t("invitationAbout")}</p>
      <div className={styles.row}>
        <Select label={t("role")} options={roles()} value={role} onChange={setRole} />
        <Button busy={invite.isPending} onClick={() => invite.mutate()}>
          {t("makeLink")}
        </Button>
      </div>
      {invite.error && <Failure error={invite.error} />}
      {invite.data && <SecretOnce label={t("invitation")} text={invite.data.url} note={t("linkNote", { at: formatTime(invite.data.expires_at) })} />}
    </section>
  );
}

function Deletion({ team, onDeleted }: { team: TeamEntry; onDeleted: () => void }) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => deleteTeam({ path: { team_id: team.id } }),
    onSuccess: () => {
      onDeleted();
      return client.invalidateQueries({ queryKey: TEAMS });
    },
  });
  const isEmpty = team.experiments === 0 && team.runs === 0;
  return (
    <section className={styles.section} aria-label={t("deletion")}>
      <h3>{t("deletion")}</h3>
      <p>
        {isEmpty
          ? t("deletionEmpty")
          : t("deletionFull", { experiments: t("experimentCount", { count: team.experiments }), runs: t("runCount", { count: team.runs }) })}
      </p>
      <div>
        <Button kind="danger" disabled={!isEmpty} busy={remove.isPending} onClick={() => window.confirm(t("deleteTeamQuestion", { team: team.name })) && remove.mutate()}>
          {t("deleteTeam")}
        </Button>
      </div>
      {remove.error && <Failure error={remove.error} />}
    </section>
  );
}

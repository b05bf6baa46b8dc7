import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createTeamInvitation, deleteTeam, updateTeam, type TeamEntry } from "@/api/generated";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { Field } from "@/components/Field";
import { formatTime, plural } from "@/components/format";
import { SecretOnce } from "@/components/SecretOnce";
import { Select } from "@/components/Select";
import { Failure } from "@/components/Status";
import styles from "./Administration.module.css";
import { Quotas } from "./Quotas";
import { ROLES, type Role } from "./roles";
import { TEAMS } from "./usePages";

interface Props {
  team: TeamEntry;
  onClose: () => void;
}

/** Name, invitations, quotas and deletion of one team. */
export function TeamDialog({ team, onClose }: Props) {
  return (
    <Dialog title={team.name} open onClose={onClose} wide actions={<Button onClick={onClose}>Close</Button>}>
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
      <Field label="Name" errors={[]}>
        {(ids) => <input {...ids} required maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Button type="submit" busy={rename.isPending} disabled={name.trim() === team.name}>
        Rename
      </Button>
      {rename.error && <Failure error={rename.error} />}
    </form>
  );
}

function Invitation({ team }: { team: TeamEntry }) {
  const [role, setRole] = useState<Role>("admin");
  const invite = useMutation({ mutationFn: () => createTeamInvitation({ path: { team_id: team.id }, body: { role } }) });
  return (
    <section className={styles.section} aria-label="Invitation">
      <h3>Invitation</h3>
      <p>A link that works once, within 7 days. Members who have an account are added on the page of accounts.</p>
      <div className={styles.row}>
        <Select label="Role" options={ROLES} value={role} onChange={setRole} />
        <Button busy={invite.isPending} onClick={() => invite.mutate()}>
          Make a link
        </Button>
      </div>
      {invite.error && <Failure error={invite.error} />}
      {invite.data && <SecretOnce label="Invitation" text={invite.data.url} note={`The link is shown only once. It works until ${formatTime(invite.data.expires_at)}.`} />}
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
    <section className={styles.section} aria-label="Deletion">
      <h3>Deletion</h3>
      <p>
        {isEmpty
          ? "Its memberships, tokens, invitations and webhooks are deleted with it. Accounts stay."
          : `Only an empty team can be deleted. This one has ${plural(team.experiments, "experiment")} and ${plural(team.runs, "run")}: a member deletes them first.`}
      </p>
      <div>
        <Button kind="danger" disabled={!isEmpty} busy={remove.isPending} onClick={() => window.confirm(`Delete the team ${team.name}?`) && remove.mutate()}>
          Delete the team
        </Button>
      </div>
      {remove.error && <Failure error={remove.error} />}
    </section>
  );
}

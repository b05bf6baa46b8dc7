import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { removeTeamMember, setTeamMember, type AccountEntry } from "@/api/generated";
import { Button } from "@/components/Button";
import { Select } from "@/components/Select";
import { Failure } from "@/components/Status";
import { messages } from "@/messages";
import styles from "./Administration.module.css";
import { roles, type Role } from "./roles";
import { useTeams } from "./usePages";

const t = messages("administration");

/** The teams of an account with its role in each; it can join any other team. */
export function AccountTeams({ account }: { account: AccountEntry }) {
  const client = useQueryClient();
  const teams = useTeams("");
  const [chosen, choose] = useState("");
  const [role, setRole] = useState<Role>("runner");
  const onSuccess = () => client.invalidateQueries({ queryKey: ["administration"] });
  const set = useMutation({ mutationFn: (member: { team_id: string; role: Role }) => setTeamMember({ path: { team_id: member.team_id, account_id: account.id }, body: { role: member.role } }), onSuccess });
  const remove = useMutation({ mutationFn: (team_id: string) => removeTeamMember({ path: { team_id, account_id: account.id } }), onSuccess });
  const error = set.error ?? remove.error;
  const own = new Set(account.teams.map(({ id }) => id));
  const others = (teams.data?.pages.flatMap(({ data }) => data) ?? []).filter(({ id }) => !own.has(id));
  return (
    <section className={styles.section} aria-label={t("teams")}>
      <h3>{t("teams")}</h3>
      {account.teams.map((team) => (
        <div key={team.id} className={styles.row}>
          <span>{team.name}</span>
          <Select label={t("roleIn", { team: team.name })} options={roles()} value={team.role} onChange={(next) => set.mutate({ team_id: team.id, role: next })} />
          <Button kind="danger" onClick={() => window.confirm(t("removeFromQuestion", { name: account.name, team: team.name })) && remove.mutate(team.id)} aria-label={t("removeFrom", { team: team.name })}>
            {t("remove")}
          </Button>
        </div>
      ))}
      {others.length > 0 && (
        <div className={styles.row}>
          <Select label={t("anotherTeam")} options={[{ value: "", label: t("anotherTeam") }, ...others.map(({ id, name }) => ({ value: id, label: name }))]} value={own.has(chosen) ? "" : chosen} onChange={choose} />
          <Select label={t("roleThere")} options={roles()} value={role} onChange={setRole} />
          <Button disabled={chosen === "" || own.has(chosen)} busy={set.isPending} onClick={() => set.mutate({ team_id: chosen, role })}>
            {t("add")}
          </Button>
        </div>
      )}
      {teams.hasNextPage && (
        <div>
          <Button kind="ghost" onClick={() => void teams.fetchNextPage()}>{t("moreTeamsLoad")}</Button>
        </div>
      )}
      {error && <Failure error={error} />}
    </section>
  );
}

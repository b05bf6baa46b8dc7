import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { endSession, updateSession } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Select } from "@/components/Select";
import styles from "./AccountMenu.module.css";

/** The account, its team and the way out, in the header; nothing without a session. */
export function AccountMenu() {
  const client = useQueryClient();
  const { data, error } = useQuery({ ...queries.session(), enabled: false });
  const leave = () => {
    window.location.assign("/sign-in"); // a new document: nothing of the session stays in memory
  };
  const signOut = useMutation({ mutationFn: () => endSession(), onSuccess: leave });
  const change = useMutation({
    mutationFn: (team_id: string) => updateSession({ body: { team_id } }),
    onSuccess: () => {
      client.clear();
      window.location.assign("/");
    },
  });
  if (!data || error) return null;
  return (
    <div className={styles.menu}>
      {data.team && data.teams.length > 1 && (
        <Select label="Team" options={data.teams.map(({ id, name }) => ({ value: id, label: name }))} value={data.team.id} onChange={(id) => change.mutate(id)} />
      )}
      {data.team && <Link to="/team">Team</Link>}
      {data.account.installation_admin && <Link to="/administration">Administration</Link>}
      <Link to="/account" title="Your account">
        {data.account.name}
      </Link>
      <Button kind="ghost" busy={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign out
      </Button>
    </div>
  );
}

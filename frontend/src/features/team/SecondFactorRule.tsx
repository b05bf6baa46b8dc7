import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { changeTeam, type MemberEntry } from "@/api/generated";
import { queries } from "@/api/queries";
import { Card } from "@/components/Card";
import { Failure, QueryStatus } from "@/components/Status";
import styles from "./SecondFactorRule.module.css";

/** Whether the team requires a second factor; administrators change it. */
export function SecondFactorRule({ members, mayChange }: { members: readonly MemberEntry[] | undefined; mayChange: boolean }) {
  const client = useQueryClient();
  const team = useQuery(queries.team());
  const change = useMutation({
    mutationFn: (requires_second_factor: boolean) => changeTeam({ body: { requires_second_factor } }),
    onSuccess: (changed) => client.setQueryData(queries.team().queryKey, changed),
  });
  const without = members?.filter((each) => each.second_factor === false && !each.disabled) ?? [];
  return (
    <Card title="Second factor">
      <QueryStatus query={team} label="Loading the team's settings" rows={1} />
      {team.data && !mayChange && <p className={styles.text}>{team.data.requires_second_factor ? "This team requires a second factor." : "This team requires no second factor."}</p>}
      {team.data && mayChange && (
        <>
          <label className={styles.switch}>
            <input type="checkbox" role="switch" checked={team.data.requires_second_factor} disabled={change.isPending} onChange={(event) => change.mutate(event.target.checked)} />
            Require a second factor of every member
          </label>
          <p className={styles.text}>
            Who has none, and the tokens of such members, {team.data.requires_second_factor ? "have no access to the team until one is set up" : "would have no access to the team until one is set up"}, at <Link to="/account">Account</Link>. Sign-in by the identity provider counts as one.
            {without.length > 0 && ` Without: ${without.map(({ name }) => name).join(", ")}.`}
          </p>
        </>
      )}
      {change.error && <Failure error={change.error} />}
    </Card>
  );
}

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { changeTeam, type MemberEntry } from "@/api/generated";
import { queries } from "@/api/queries";
import { Card } from "@/components/Card";
import { Failure, QueryStatus } from "@/components/Status";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import styles from "./SecondFactorRule.module.css";

const t = messages("team");

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
    <Card title={t("secondFactor")}>
      <QueryStatus query={team} label={t("loadingSettings")} rows={1} />
      {team.data && !mayChange && <p className={styles.text}>{team.data.requires_second_factor ? t("required") : t("notRequired")}</p>}
      {team.data && mayChange && (
        <>
          <label className={styles.switch}>
            <input type="checkbox" role="switch" checked={team.data.requires_second_factor} disabled={change.isPending} onChange={(event) => change.mutate(event.target.checked)} />
            {t("requireOfAll")}
          </label>
          <p className={styles.text}>
            <RichText namespace="team" id={team.data.requires_second_factor ? "ruleOn" : "ruleOff"} parts={{ account: <Link to="/account" /> }} />
            {without.length > 0 && ` ${t("without", { names: without.map(({ name }) => name).join(", ") })}`}
          </p>
        </>
      )}
      {change.error && <Failure error={change.error} />}
    </Card>
  );
}

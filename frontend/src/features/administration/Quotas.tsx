import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorsAt, fieldErrors } from "@/api/errors";
import { getTeamQuotas, setTeamQuotas, type OwnLimits, type TeamEntry, type TeamQuota } from "@/api/generated";
import { Button } from "@/components/Button";
import { Field } from "@/components/Field";
import { Failure, QueryStatus } from "@/components/Status";
import { messages } from "@/messages";
import styles from "./Administration.module.css";
import { hintOf, labels, limitsOf } from "./quotaFields";

const t = messages("administration");

/** The quotas of a team: present use, and limits of its own. */
export function Quotas({ team }: { team: TeamEntry }) {
  const quotas = useQuery({ queryKey: ["administration", "quotas", team.id], queryFn: async () => (await getTeamQuotas({ path: { team_id: team.id } })).data, staleTime: 0 });
  return (
    <section className={styles.section} aria-label={t("quotas")}>
      <h3>{t("quotas")}</h3>
      <p>{t("quotasAbout")}</p>
      <QueryStatus query={quotas} label={t("loadingQuotas")} rows={2} />
      {quotas.data && <QuotaForm key={quotas.data.map(({ own }) => own).join()} team={team} quotas={quotas.data} />}
    </section>
  );
}

function QuotaForm({ team, quotas }: { team: TeamEntry; quotas: readonly TeamQuota[] }) {
  const client = useQueryClient();
  const [texts, setTexts] = useState<Record<string, string>>(() => Object.fromEntries(quotas.map(({ quota, own }) => [quota, own === null ? "" : String(own)])));
  const save = useMutation({
    mutationFn: (limits: OwnLimits) => setTeamQuotas({ path: { team_id: team.id }, body: limits }),
    onSuccess: (stored) => client.setQueryData(["administration", "quotas", team.id], stored.data),
  });
  const errors = fieldErrors(save.error);
  const limits = limitsOf(texts);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (limits) save.mutate(limits);
      }}
    >
      <div className={styles.quotas}>
        {quotas.map((each) => (
          <Field key={each.quota} label={labels()[each.quota]} hint={hintOf(each)} errors={errorsAt(errors, `/${each.quota}`)}>
            {(ids) => <input {...ids} inputMode="numeric" pattern="[0-9]*" maxLength={16} value={texts[each.quota] ?? ""} onChange={(event) => setTexts({ ...texts, [each.quota]: event.target.value })} />}
          </Field>
        ))}
      </div>
      <div className={styles.row}>
        <Button type="submit" busy={save.isPending} disabled={limits === null}>
          {t("saveQuotas")}
        </Button>
        {save.isSuccess && <span role="status">{t("saved")}</span>}
      </div>
      {save.error && errors.length === 0 && <Failure error={save.error} />}
    </form>
  );
}

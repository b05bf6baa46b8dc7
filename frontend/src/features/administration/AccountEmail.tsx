import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorsAt, fieldErrors } from "@/api/errors";
import { setAccountAccess, type AccountEntry } from "@/api/generated";
import { Button } from "@/components/Button";
import { Field } from "@/components/Field";
import { Failure } from "@/components/Status";
import { messages } from "@/messages";
import styles from "./Administration.module.css";
import { ACCOUNTS } from "./usePages";

const t = messages("administration");

/** The email address of an account, which the administrator vouches for. */
export function AccountEmail({ account }: { account: AccountEntry }) {
  const client = useQueryClient();
  const [email, setEmail] = useState(account.email ?? "");
  const save = useMutation({
    mutationFn: () => setAccountAccess({ path: { account_id: account.id }, body: { email: email.trim() || null } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ACCOUNTS }),
  });
  const errors = fieldErrors(save.error);
  return (
    <section className={styles.section} aria-label={t("emailAddress")}>
      <h3>{t("emailAddress")}</h3>
      <p>{t("emailAbout", { name: account.name })}</p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Field label={t("emailAddress")} errors={errorsAt(errors, "/email")}>
          {(ids) => <input {...ids} type="email" value={email} onChange={(event) => setEmail(event.target.value)} maxLength={254} autoComplete="off" />}
        </Field>
        <Button type="submit" busy={save.isPending} disabled={email.trim() === (account.email ?? "")}>
          {t("saveEmail")}
        </Button>
      </form>
      {save.error && errors.length === 0 && <Failure error={save.error} />}
    </section>
  );
}

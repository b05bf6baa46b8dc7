import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorsAt, errorsOutside, fieldErrors } from "@/api/errors";
import { updateAccount, type Account } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { Field } from "@/components/Field";
import { Failure, QueryStatus } from "@/components/Status";
import { messages } from "@/messages";
import styles from "./Account.module.css";

const t = messages("account");

const POINTERS = ["/name", "/email"];

/** Name and email address of the account. */
export function Profile() {
  const account = useQuery(queries.account());
  return (
    <Card title={t("profile")} note={t("profileNote")}>
      <QueryStatus query={account} label={t("loadingAccount")} rows={2} />
      {account.data && <ProfileForm account={account.data} />}
    </Card>
  );
}

function ProfileForm({ account }: { account: Account }) {
  const client = useQueryClient();
  const [name, setName] = useState(account.name);
  const [email, setEmail] = useState(account.email ?? "");
  const save = useMutation({
    mutationFn: () => updateAccount({ body: { name: name.trim(), email: email.trim() || null } }),
    onSuccess: async (saved) => {
      client.setQueryData(queries.account().queryKey, saved);
      await client.invalidateQueries({ queryKey: queries.session().queryKey });
    },
  });
  const errors = fieldErrors(save.error);
  const isChanged = name.trim() !== account.name || email.trim() !== (account.email ?? "");
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Field label={t("name")} errors={errorsAt(errors, "/name")}>
        {(ids) => <input {...ids} value={name} onChange={(event) => setName(event.target.value)} required maxLength={100} autoComplete="name" />}
      </Field>
      <Field label={t("email")} hint={t("emailHint")} errors={errorsAt(errors, "/email")}>
        {(ids) => <input {...ids} type="email" value={email} onChange={(event) => setEmail(event.target.value)} maxLength={254} autoComplete="email" />}
      </Field>
      <Button type="submit" kind="primary" busy={save.isPending} disabled={!isChanged}>
        {t("save")}
      </Button>
      {save.isSuccess && !isChanged && <p className={styles.done} role="status">{t("saved")}</p>}
      {save.error && (errors.length === 0 || errorsOutside(errors, POINTERS).length > 0) && <Failure error={save.error} />}
    </form>
  );
}

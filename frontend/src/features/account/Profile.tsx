import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorsAt, errorsOutside, fieldErrors } from "@/api/errors";
import { updateAccount, type Account } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { Field } from "@/components/Field";
import { Failure, QueryStatus } from "@/components/Status";
import styles from "./Account.module.css";

const POINTERS = ["/name", "/email"];

/** Name and email address of the account. */
export function Profile() {
  const account = useQuery(queries.account());
  return (
    <Card title="Profile" note="The name appears at runs, notes and links, and to the members of your teams.">
      <QueryStatus query={account} label="Loading your account" rows={2} />
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
      <Field label="Name" errors={errorsAt(errors, "/name")}>
        {(ids) => <input {...ids} value={name} onChange={(event) => setName(event.target.value)} required maxLength={100} autoComplete="name" />}
      </Field>
      <Field label="Email address" hint="You sign in with it and your password. Plimsoll sends no email to it." errors={errorsAt(errors, "/email")}>
        {(ids) => <input {...ids} type="email" value={email} onChange={(event) => setEmail(event.target.value)} maxLength={254} autoComplete="email" />}
      </Field>
      <Button type="submit" kind="primary" busy={save.isPending} disabled={!isChanged}>
        Save
      </Button>
      {save.isSuccess && !isChanged && <p className={styles.done} role="status">Saved.</p>}
      {save.error && (errors.length === 0 || errorsOutside(errors, POINTERS).length > 0) && <Failure error={save.error} />}
    </form>
  );
}

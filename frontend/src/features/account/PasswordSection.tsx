import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorsAt, errorsOutside, fieldErrors } from "@/api/errors";
import { setPassword, type Account } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { PasswordField } from "@/components/PasswordField";
import { passwordFailure } from "@/components/signInTexts";
import { Note, QueryStatus } from "@/components/Status";
import { useWait } from "@/components/useWait";
import { messages } from "@/messages";
import styles from "./Account.module.css";

const t = messages("account");

const POINTERS = ["/current_password", "/new_password"];

/** Sets or changes the account's password, or says what is needed first. */
export function PasswordSection() {
  const account = useQuery(queries.account());
  const found = account.data;
  return (
    <Card title={t("password")} note={found && (found.has_password ? t("passwordNote") : t("noPasswordNote"))}>
      <QueryStatus query={account} label={t("loadingAccount")} rows={1} />
      {found && obstacle(found)}
      {found && obstacle(found) === null && <PasswordForm account={found} />}
    </Card>
  );
}

/** Returns what to do before a password can be set; null if it can be. */
function obstacle(account: Account): React.ReactNode {
  if (account.email === null) return <p>{t("needsEmail")}</p>;
  if (account.password_change_needs === "recent_sign_in") return <p>{t("needsRecent")}</p>;
  return null;
}

function PasswordForm({ account }: { account: Account }) {
  const client = useQueryClient();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const needsCurrent = account.password_change_needs === "current_password";
  const save = useMutation({
    mutationFn: () => setPassword({ body: { new_password: next, ...(needsCurrent && { current_password: current }) } }),
    onSuccess: async () => {
      setCurrent("");
      setNext("");
      await Promise.all([queries.account(), queries.browsers()].map(({ queryKey }) => client.invalidateQueries({ queryKey })));
    },
  });
  const wait = useWait(save.error);
  const errors = fieldErrors(save.error);
  const isElsewhere = save.error && (errors.length === 0 || errorsOutside(errors, POINTERS).length > 0);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      {/* For password managers, which store the password with this name. */}
      <input type="email" autoComplete="username" value={account.email ?? ""} readOnly hidden />
      {needsCurrent && <PasswordField label={t("currentPassword")} hint={t("currentHint")} errors={errorsAt(errors, "/current_password")} value={current} onChange={setCurrent} autoComplete="current-password" />}
      <PasswordField label={t("newPassword")} hint={t("newPasswordHint")} errors={errorsAt(errors, "/new_password")} value={next} onChange={setNext} autoComplete="new-password" />
      <Button type="submit" kind="primary" busy={save.isPending} disabled={wait > 0}>
        {account.has_password ? t("changePassword") : t("setPassword")}
      </Button>
      {save.isSuccess && next === "" && <p className={styles.done} role="status">{t("passwordSaved")}</p>}
      {isElsewhere && (
        <div role="alert">
          <Note tone="bad">{passwordFailure(save.error, wait)}</Note>
        </div>
      )}
    </form>
  );
}

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { ApiError, errorsAt, errorsOutside, fieldErrors } from "@/api/errors";
import { acceptInvitation } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Field } from "@/components/Field";
import { PasswordField } from "@/components/PasswordField";
import { Failure, Loading, Note } from "@/components/Status";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import styles from "./SignIn.module.css";

const t = messages("access");

const POINTERS = ["/name", "/email", "/password"];

/** Accepts an invitation, as a new account or as the one that is signed in. Its secret is in the fragment, which browsers do not send. */
export function InvitationPage() {
  useTitle(t("invitation"));
  const [link] = useState(() => window.location.hash.slice(1));
  const session = useQuery({ ...queries.session(), retry: false });
  const client = useQueryClient();
  const navigate = useNavigate();
  const accept = useMutation({
    mutationFn: (account: Partial<NewAccount>) => acceptInvitation({ body: { link, ...account } }),
    onSuccess: async () => {
      client.clear();
      await navigate("/", { replace: true });
    },
  });
  const isGone = link === "" || (accept.error instanceof ApiError && accept.error.status === 410);
  const errors = fieldErrors(accept.error);
  const isAtField = errors.length > 0 && errorsOutside(errors, POINTERS).length === 0;
  const signedOut = session.error instanceof ApiError && session.error.status === 401;
  return (
    <section className={styles.page} aria-labelledby="invitation">
      <h1 id="invitation">{t("invitationTitle")}</h1>
      {isGone ? (
        <Note tone="warn">{t("invitationGone")}</Note>
      ) : session.data ? (
        <>
          <p>{t("signedInAs", { name: session.data.account.name })}</p>
          <Button kind="primary" busy={accept.isPending} onClick={() => accept.mutate({})}>
            {t("joinTeam")}
          </Button>
        </>
      ) : signedOut ? (
        <NewAccountForm busy={accept.isPending} error={accept.error} onSubmit={(account) => accept.mutate(account)} />
      ) : session.error ? (
        <Failure error={session.error} retry={() => void session.refetch()} />
      ) : (
        <Loading label={t("loadingAccount")} rows={2} />
      )}
      {accept.error && !isGone && !isAtField && <Failure error={accept.error} />}
    </section>
  );
}

interface NewAccount {
  name: string;
  email?: string;
  password?: string;
}

function NewAccountForm({ busy, error, onSubmit }: { busy: boolean; error: unknown; onSubmit: (account: NewAccount) => void }) {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const errors = fieldErrors(error);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({ name: name.trim(), ...(email.trim() && { email: email.trim() }), ...(password && { password }) });
      }}
    >
      <Field label={t("yourName")} errors={errorsAt(errors, "/name")}>
        {(ids) => <input {...ids} value={name} onChange={(event) => setName(event.target.value)} required maxLength={100} autoComplete="name" />}
      </Field>
      <Field label={t("email")} hint={t("emailHint")} errors={errorsAt(errors, "/email")}>
        {(ids) => <input {...ids} type="email" value={email} onChange={(event) => setEmail(event.target.value)} maxLength={254} autoComplete="username" />}
      </Field>
      <PasswordField label={t("password")} hint={t("newPasswordHint")} errors={errorsAt(errors, "/password")} value={password} onChange={setPassword} autoComplete="new-password" required={false} />
      <Button kind="primary" type="submit" busy={busy}>
        {t("createAndJoin")}
      </Button>
    </form>
  );
}

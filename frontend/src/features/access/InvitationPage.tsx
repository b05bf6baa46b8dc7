import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { ApiError } from "@/api/errors";
import { acceptInvitation } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Failure, Loading, Note } from "@/components/Status";
import { useTitle } from "@/components/useTitle";
import styles from "./SignIn.module.css";

/** Accepts an invitation, as a new account or as the one that is signed in. Its secret is in the fragment, which browsers do not send. */
export function InvitationPage() {
  useTitle("Invitation");
  const [link] = useState(() => window.location.hash.slice(1));
  const session = useQuery({ ...queries.session(), retry: false });
  const client = useQueryClient();
  const navigate = useNavigate();
  const accept = useMutation({
    mutationFn: (account: { name?: string; email?: string }) => acceptInvitation({ body: { link, ...account } }),
    onSuccess: async () => {
      client.clear();
      await navigate("/", { replace: true });
    },
  });
  const isGone = link === "" || (accept.error instanceof ApiError && accept.error.status === 410);
  const signedOut = session.error instanceof ApiError && session.error.status === 401;
  return (
    <section className={styles.page} aria-labelledby="invitation">
      <h1 id="invitation">Invitation to a team</h1>
      {isGone ? (
        <Note tone="warn">This invitation was used before, was revoked, has expired, or is incomplete. Ask for a new one.</Note>
      ) : session.data ? (
        <>
          <p>You are signed in as {session.data.account.name}.</p>
          <Button kind="primary" busy={accept.isPending} onClick={() => accept.mutate({})}>
            Join the team
          </Button>
        </>
      ) : signedOut ? (
        <NewAccount busy={accept.isPending} onSubmit={(account) => accept.mutate(account)} />
      ) : session.error ? (
        <Failure error={session.error} retry={() => void session.refetch()} />
      ) : (
        <Loading label="Loading your account" rows={2} />
      )}
      {accept.error && !isGone && <Failure error={accept.error} />}
    </section>
  );
}

function NewAccount({ busy, onSubmit }: { busy: boolean; onSubmit: (account: { name: string; email?: string }) => void }) {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({ name: name.trim(), ...(email.trim() && { email: email.trim() }) });
      }}
    >
      <label>
        Your name
        <input value={name} onChange={(event) => setName(event.target.value)} required maxLength={100} autoComplete="name" />
      </label>
      <label>
        Email address, if you like
        <input type="email" value={email} onChange={(event) => setEmail(event.target.value)} maxLength={254} autoComplete="email" />
      </label>
      <Button kind="primary" type="submit" busy={busy}>
        Create the account and join
      </Button>
    </form>
  );
}

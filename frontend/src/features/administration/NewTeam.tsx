import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorsAt, errorsOutside, fieldErrors } from "@/api/errors";
import { createTeam } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { Field } from "@/components/Field";
import { formatTime } from "@/components/format";
import { SecretOnce } from "@/components/SecretOnce";
import { Failure } from "@/components/Status";
import styles from "./Administration.module.css";
import { TEAMS } from "./usePages";

/** Creates a team, and shows the link that invites its first administrator. */
export function NewTeam() {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const create = useMutation({
    mutationFn: () => createTeam({ body: { name: name.trim(), ...(email.trim() && { email: email.trim() }) } }),
    onSuccess: () => {
      setName("");
      setEmail("");
      return client.invalidateQueries({ queryKey: TEAMS });
    },
  });
  const errors = fieldErrors(create.error);
  const isElsewhere = create.error && (errors.length === 0 || errorsOutside(errors, ["/name", "/email"]).length > 0);
  return (
    <Card title="New team" note="You get a link that makes its first administrator. It works once, within 7 days: send it yourself.">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Field label="Name" errors={errorsAt(errors, "/name")}>
          {(ids) => <input {...ids} required maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <Field label="Email of its administrator, if you like" errors={errorsAt(errors, "/email")}>
          {(ids) => <input {...ids} type="email" maxLength={254} value={email} onChange={(event) => setEmail(event.target.value)} />}
        </Field>
        <Button kind="primary" type="submit" busy={create.isPending}>
          Create
        </Button>
      </form>
      {isElsewhere && <Failure error={create.error} />}
      {create.data && (
        <SecretOnce
          label={`Invitation of the first administrator of ${create.data.name}`}
          text={create.data.invitation.url}
          note={`The link is shown only once. It works until ${formatTime(create.data.invitation.expires_at)}.`}
        />
      )}
    </Card>
  );
}

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
import { messages } from "@/messages";
import styles from "./Administration.module.css";
import { TEAMS } from "./usePages";

const t = messages("administration");

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
    <Card title={t("newTeam")} note={t("newTeamNote")}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Field label={t("name")} errors={errorsAt(errors, "/name")}>
          {(ids) => <input {...ids} required maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <Field label={t("adminEmail")} errors={errorsAt(errors, "/email")}>
          {(ids) => <input {...ids} type="email" maxLength={254} value={email} onChange={(event) => setEmail(event.target.value)} />}
        </Field>
        <Button kind="primary" type="submit" busy={create.isPending}>
          {t("create")}
        </Button>
      </form>
      {isElsewhere && <Failure error={create.error} />}
      {create.data && (
        <SecretOnce
          label={t("firstInvitation", { team: create.data.name })}
          text={create.data.invitation.url}
          note={t("linkNote", { at: formatTime(create.data.invitation.expires_at) })}
        />
      )}
    </Card>
  );
}

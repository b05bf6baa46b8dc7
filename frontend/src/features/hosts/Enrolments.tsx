import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createEnrolment, revokeEnrolment, type EnrolmentEntry } from "@/api/generated";
import { fieldErrors, errorsAt } from "@/api/errors";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { Field } from "@/components/Field";
import { formatTime } from "@/components/format";
import { SecretOnce } from "@/components/SecretOnce";
import { Failure, QueryStatus } from "@/components/Status";
import { messages } from "@/messages";
import styles from "./HostPage.module.css";

const t = messages("hosts");

const columns = () => [[t("enrolment")], [t("for")], [t("madeBy")], [t("expires")], [<span key="end" className="visually-hidden">{t("revoke")}</span>]] as const;

/** How a host joins: a new one-time command, and the enrolments that nobody has used yet. For administrators of the installation. */
export function Enrolments() {
  const enrolments = useQuery({ ...queries.enrolments(), refetchInterval: 30_000 });
  const open = enrolments.data?.filter(({ state }) => state === "open") ?? [];
  return (
    <Card title={t("addHost")} note={t("addHostNote")} flush={open.length > 0}>
      <div className={open.length > 0 ? styles.about : undefined}>
        <NewEnrolment />
      </div>
      <QueryStatus query={enrolments} label={t("loadingEnrolments")} rows={1} />
      {open.length > 0 && (
        <DataTable label={t("openEnrolments")} columns={columns()}>
          {open.map((entry) => (
            <Row key={entry.id} entry={entry} />
          ))}
        </DataTable>
      )}
    </Card>
  );
}

function NewEnrolment() {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const make = useMutation({
    mutationFn: () => createEnrolment({ body: { host_name: name.trim() || null } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queries.enrolments().queryKey }),
  });
  const errors = fieldErrors(make.error);
  return (
    <>
      <form
        className={styles.labelForm}
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate();
        }}
      >
        <Field label={t("onlyForName")} hint={t("onlyForHint")} errors={errorsAt(errors, "/host_name")}>
          {(ids) => <input {...ids} maxLength={64} spellCheck={false} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <Button type="submit" kind="primary" busy={make.isPending}>
          {t("makeCommand")}
        </Button>
      </form>
      {make.error && errors.length === 0 && <Failure error={make.error} />}
      {make.data && (
        <>
          <SecretOnce label={t("commandFor")} text={make.data.command} note={t("commandNote", { at: formatTime(make.data.expires_at) })} />
          <SecretOnce
            label={t("inContainer")}
            text={make.data.container_command}
            note={t("inContainerNote")}
          />
        </>
      )}
    </>
  );
}

function Row({ entry }: { entry: EnrolmentEntry }) {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => revokeEnrolment({ path: { enrolment_id: entry.id } }),
    onSettled: () => client.invalidateQueries({ queryKey: queries.enrolments().queryKey }),
  });
  return (
    <tr>
      <th scope="row">{entry.prefix}…</th>
      <td data-label={t("for")}>{entry.host_name ?? t("anyHost")}</td>
      <td data-label={t("madeBy")}>{entry.created_by ?? t("deletedAccount")}</td>
      <td data-label={t("expires")}>{formatTime(entry.expires_at)}</td>
      <td>
        <Button busy={revoke.isPending} onClick={() => revoke.mutate()} aria-label={t("revokeEnrolment", { prefix: entry.prefix })}>
          {t("revoke")}
        </Button>
        {revoke.error && <Failure error={revoke.error} />}
      </td>
    </tr>
  );
}

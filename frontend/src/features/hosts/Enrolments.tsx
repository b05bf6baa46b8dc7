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
import styles from "./HostPage.module.css";

const COLUMNS = [["Enrolment"], ["For"], ["Made by"], ["Expires"], [<span key="end" className="visually-hidden">Revoke</span>]] as const;

/** How a host joins: a new one-time command, and the enrolments that nobody has used yet. For administrators of the installation. */
export function Enrolments() {
  const enrolments = useQuery({ ...queries.enrolments(), refetchInterval: 30_000 });
  const open = enrolments.data?.filter(({ state }) => state === "open") ?? [];
  return (
    <Card title="Add a host" note="A command for one host, to be run there as root in a clone of the repository; it works once" flush={open.length > 0}>
      <div className={open.length > 0 ? styles.about : undefined}>
        <NewEnrolment />
      </div>
      <QueryStatus query={enrolments} label="Loading the enrolments" rows={1} />
      {open.length > 0 && (
        <DataTable label="Open enrolments" columns={COLUMNS}>
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
        <Field label="Only for a host of this name" hint="empty: the host’s own name" errors={errorsAt(errors, "/host_name")}>
          {(ids) => <input {...ids} maxLength={64} spellCheck={false} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <Button type="submit" kind="primary" busy={make.isPending}>
          Make a command
        </Button>
      </form>
      {make.error && errors.length === 0 && <Failure error={make.error} />}
      {make.data && (
        <>
          <SecretOnce label="Command for the new host" text={make.data.command} note={`It is shown only once. It works once, until ${formatTime(make.data.expires_at)}.`} />
          <SecretOnce
            label="Or in a container, without a clone"
            text={make.data.container_command}
            note="Instead of the first: its Docker needs the image plimsoll. No registry has it: docker compose build makes it in a clone, docker save and docker load copy it."
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
      <td data-label="For">{entry.host_name ?? "any host"}</td>
      <td data-label="Made by">{entry.created_by ?? "a deleted account"}</td>
      <td data-label="Expires">{formatTime(entry.expires_at)}</td>
      <td>
        <Button busy={revoke.isPending} onClick={() => revoke.mutate()} aria-label={`Revoke the enrolment ${entry.prefix}`}>
          Revoke
        </Button>
        {revoke.error && <Failure error={revoke.error} />}
      </td>
    </tr>
  );
}

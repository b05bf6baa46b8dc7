import { Link } from "react-router";
import type { AuditLine } from "@/api/generated";
import { actionName } from "@/components/actionName";
import { DataTable } from "@/components/DataTable";
import { formatZonedTime } from "@/components/format";
import { State } from "@/components/State";
import { messages } from "@/messages";
import styles from "./Audit.module.css";
import { actorOf, outcomeOf } from "./auditText";

const t = messages("team");

const columns = () => [[t("time")], [t("action")], [t("account")], [t("object")], [t("outcome")], [t("address")], [t("requestId")]] as const;

/** Entries of the audit log. */
export function AuditTable({ lines }: { lines: readonly AuditLine[] }) {
  return (
    <DataTable label={t("audit")} columns={columns()}>
      {lines.map((line) => (
        <tr key={line.id}>
          <th scope="row" className={styles.time}>
            <time dateTime={line.at}>{formatZonedTime(line.at)}</time>
          </th>
          <td data-label={t("action")}>{actionName(line.action)}</td>
          <td data-label={t("account")}>{actorOf(line)}</td>
          <td data-label={t("object")}>
            <div className={styles.ids}>{idsOf(line).map((id) => <ObjectName key={id} id={id} />)}</div>
          </td>
          <td data-label={t("outcome")}>
            <State label={outcomeOf(line)} />
          </td>
          <td data-label={t("address")}>{line.address}</td>
          <td data-label={t("requestId")}>{line.request_id && <code className={styles.id}>{line.request_id}</code>}</td>
        </tr>
      ))}
    </DataTable>
  );
}

/** The ids of what a request names and of what it created. */
function idsOf({ object, created }: AuditLine): string[] {
  return [...new Set([object, created])].filter((id) => id !== null);
}

/** The id of an object; of a run, a link to its page. */
function ObjectName({ id }: { id: string }) {
  const text = <code className={styles.id}>{id}</code>;
  return id.startsWith("run_") ? <Link to={`/runs/${id}`}>{text}</Link> : text;
}

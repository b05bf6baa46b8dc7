import { Link } from "react-router";
import type { History } from "@/api/generated";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatZonedTime } from "@/components/format";
import { messages } from "@/messages";
import { keyText, short } from "./texts";

const t = messages("history");

/** What changed in the environment, the newest first, with the first run of each change. */
export function EnvironmentTable({ history }: { history: History }) {
  const changes = history.runs.flatMap((run) => run.environment_changes.map((change) => ({ run, change }))).reverse();
  return (
    <Card title={t("environmentTitle")} note={t("environmentNote")} flush={changes.length > 0}>
      {changes.length === 0 && <p>{t("environmentNone")}</p>}
      {changes.length > 0 && (
        <DataTable label={t("environmentTitle")} columns={[[t("key")], [t("before")], [t("after")], [t("firstRun")]]}>
          {changes.map(({ run, change }) => (
            <tr key={`${run.run_id} ${change.key}`}>
              <th scope="row">{keyText(change.key)}</th>
              <td data-label={t("before")}>{short(change.before)}</td>
              <td data-label={t("after")}>{short(change.after)}</td>
              <td data-label={t("firstRun")}><Link to={`/runs/${run.run_id}`}>{formatZonedTime(run.started_at)}</Link></td>
            </tr>
          ))}
        </DataTable>
      )}
    </Card>
  );
}

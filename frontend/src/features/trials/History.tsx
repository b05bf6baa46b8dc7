import type { Attempt } from "@/api/generated";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatZonedTime } from "@/components/format";
import table from "@/components/table.module.css";
import { messages } from "@/messages";
import { recordName } from "./recordName";

const t = messages("trials");

/** The attempts at a trial, with worker and outcome. */
export function History({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return null;
  return (
    <Card title={t("attempts")} note={t("attemptsNote")} flush>
      <DataTable label={t("attempts")} columns={[[t("fence")], [t("worker")], [t("outcome")], [t("started")], [t("ended")], [t("detail")]]}>
        {attempts.map((attempt) => (
          <tr key={attempt.fence}>
            <th scope="row">{attempt.fence}</th>
            <td data-label={t("worker")} className={table.mono}>{attempt.worker}</td>
            <td data-label={t("outcome")}>{attempt.outcome ? recordName("outcome", attempt.outcome) : t("running")}</td>
            <td data-label={t("started")} className={table.nowrap}>{formatZonedTime(attempt.started_at)}</td>
            <td data-label={t("ended")} className={table.nowrap}>{formatZonedTime(attempt.ended_at)}</td>
            <td data-label={t("detail")}>{attempt.detail ?? ""}</td>
          </tr>
        ))}
      </DataTable>
    </Card>
  );
}

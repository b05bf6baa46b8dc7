import type { Attempt } from "@/api/generated";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatTime, humanize } from "@/components/format";
import table from "@/components/table.module.css";

/** The attempts at a trial, with worker and outcome. */
export function History({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return null;
  return (
    <Card title="Attempts" note="An attempt with a higher fence supersedes the earlier ones; only one attempt is recorded" flush>
      <DataTable label="Attempts" columns={[["Fence"], ["Worker"], ["Outcome"], ["Started"], ["Ended"], ["Detail"]]}>
        {attempts.map((attempt) => (
          <tr key={attempt.fence}>
            <th scope="row">{attempt.fence}</th>
            <td data-label="worker" className={table.mono}>{attempt.worker}</td>
            <td data-label="outcome">{attempt.outcome ? humanize(attempt.outcome) : "running"}</td>
            <td data-label="started" className={table.nowrap}>{formatTime(attempt.started_at)}</td>
            <td data-label="ended" className={table.nowrap}>{formatTime(attempt.ended_at)}</td>
            <td data-label="detail">{attempt.detail ?? ""}</td>
          </tr>
        ))}
      </DataTable>
    </Card>
  );
}

import type { Attempt } from "@/api/generated";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatTime, humanize } from "@/components/format";
import table from "@/components/table.module.css";

/** Every attempt at the trial: which worker held it, and how it ended. */
export function History({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return null;
  return (
    <Card title="Attempts" note="A later fence supersedes an earlier one; only one attempt is ever recorded" flush>
      <DataTable label="Attempts" columns={[["Fence"], ["Worker"], ["Outcome"], ["Began"], ["Ended"], ["Detail"]]}>
        {attempts.map((attempt) => (
          <tr key={attempt.fence}>
            <th scope="row">{attempt.fence}</th>
            <td data-label="worker" className={table.mono}>{attempt.worker}</td>
            <td data-label="outcome">{attempt.outcome ? humanize(attempt.outcome) : "under way"}</td>
            <td data-label="began" className={table.nowrap}>{formatTime(attempt.started_at)}</td>
            <td data-label="ended" className={table.nowrap}>{formatTime(attempt.ended_at)}</td>
            <td data-label="detail">{attempt.detail ?? ""}</td>
          </tr>
        ))}
      </DataTable>
    </Card>
  );
}

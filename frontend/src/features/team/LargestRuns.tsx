import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { deleteRun, listLargestRuns, type LargeRun } from "@/api/generated";
import { queries, RUNS } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { Dialog } from "@/components/Dialog";
import { formatBytes, formatNumber, formatTime, plural } from "@/components/format";
import { Empty, Note, QueryStatus } from "@/components/Status";
import table from "@/components/table.module.css";
import { useMay } from "@/components/useMay";
import styles from "./Usage.module.css";

const KEY = ["largest-runs"];
const COLUMNS = [["Run"], ["Stored", "num"], ["Trials", "num"], ["Ended"]] as const;
const DELETE = [<span key="delete" className="visually-hidden">Delete</span>] as const;

/** The team's runs that store most, each with a way to delete it. */
export function LargestRuns() {
  const may = useMay("write");
  const [chosen, setChosen] = useState<LargeRun | null>(null);
  const runs = useQuery({ queryKey: KEY, queryFn: async () => (await listLargestRuns()).data });
  return (
    <Card title="Largest runs" note="Ended runs with their results, raw output and events" flush={Boolean(runs.data?.length)}>
      <QueryStatus query={runs} label="Loading the largest runs" />
      {runs.data?.length === 0 && <Empty title="No run has ended yet" />}
      {runs.data && runs.data.length > 0 && (
        <DataTable label="Largest runs" columns={may ? [...COLUMNS, DELETE] : COLUMNS}>
          {runs.data.map((run) => (
            <tr key={run.id}>
              <th scope="row">
                <Link to={`/runs/${run.id}`}>{run.title}</Link>
                <small className={styles.about}>on {run.host}{run.starred && ", starred: retention keeps it"}</small>
              </th>
              <td data-label="Stored" className={table.num}>{formatBytes(run.stored_bytes)}</td>
              <td data-label="Trials" className={table.num}>{formatNumber(run.trials)}</td>
              <td data-label="Ended">{formatTime(run.finished_at)}</td>
              {may && (
                <td>
                  <Button onClick={() => setChosen(run)} aria-label={`Delete ${run.title}, ended ${formatTime(run.finished_at)}`}>Delete</Button>
                </td>
              )}
            </tr>
          ))}
        </DataTable>
      )}
      {chosen && <DeleteRun key={chosen.id} run={chosen} onClose={() => setChosen(null)} />}
    </Card>
  );
}

function DeleteRun({ run, onClose }: { run: LargeRun; onClose: () => void }) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => deleteRun({ path: { run_id: run.id } }),
    onSuccess: async () => {
      client.removeQueries({ queryKey: queries.run(run.id).queryKey });
      await Promise.all([KEY, ["usage"], RUNS].map((queryKey) => client.invalidateQueries({ queryKey })));
      onClose();
    },
  });
  return (
    <Dialog
      title="Delete this run?"
      open
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep the run</Button>
          <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>Delete for good</Button>
        </>
      }
    >
      <p>
        “{run.title}” with {plural(run.trials, "trial")} and {formatBytes(run.stored_bytes)} is deleted. Its links open nothing any more. This cannot be undone.
      </p>
      {run.starred && <Note tone="warn">Somebody starred this run.</Note>}
      {remove.isError && <Note tone="bad">{remove.error.message}</Note>}
    </Dialog>
  );
}

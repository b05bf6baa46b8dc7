import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { deleteRun, listLargestRuns, type LargeRun } from "@/api/generated";
import { queries, RUNS } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { Dialog } from "@/components/Dialog";
import { formatBytes, formatNumber, formatTime } from "@/components/format";
import { Empty, Note, QueryStatus } from "@/components/Status";
import table from "@/components/table.module.css";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";
import styles from "./Usage.module.css";

const t = messages("team");

const KEY = ["largest-runs"];
const columns = () => [[t("run")], [t("stored"), "num"], [t("trials"), "num"], [t("ended")]] as const;
const deleteColumn = () => [<span key="delete" className="visually-hidden">{t("delete")}</span>] as const;

/** The team's runs that store most, each with a way to delete it. */
export function LargestRuns() {
  const may = useMay("write");
  const [chosen, setChosen] = useState<LargeRun | null>(null);
  const runs = useQuery({ queryKey: KEY, queryFn: async () => (await listLargestRuns()).data });
  return (
    <Card title={t("largest")} note={t("largestNote")} flush={Boolean(runs.data?.length)}>
      <QueryStatus query={runs} label={t("loadingLargest")} />
      {runs.data?.length === 0 && <Empty title={t("noneEnded")} />}
      {runs.data && runs.data.length > 0 && (
        <DataTable label={t("largest")} columns={may ? [...columns(), deleteColumn()] : columns()}>
          {runs.data.map((run) => (
            <tr key={run.id}>
              <th scope="row">
                <Link to={`/runs/${run.id}`}>{run.title}</Link>
                <small className={styles.about}>{t(run.starred ? "onHostStarred" : "onHost", { host: run.host })}</small>
              </th>
              <td data-label={t("stored")} className={table.num}>{formatBytes(run.stored_bytes)}</td>
              <td data-label={t("trials")} className={table.num}>{formatNumber(run.trials)}</td>
              <td data-label={t("ended")}>{formatTime(run.finished_at)}</td>
              {may && (
                <td>
                  <Button onClick={() => setChosen(run)} aria-label={t("deleteRunEnded", { title: run.title, at: formatTime(run.finished_at) })}>{t("delete")}</Button>
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
      title={t("deleteRunQuestion")}
      open
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t("keepRun")}</Button>
          <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>{t("deleteForGood")}</Button>
        </>
      }
    >
      <p>
        {t("deleteRunText", { title: run.title, count: run.trials, bytes: formatBytes(run.stored_bytes) })}
      </p>
      {run.starred && <Note tone="warn">{t("somebodyStarred")}</Note>}
      {remove.isError && <Note tone="bad">{remove.error.message}</Note>}
    </Dialog>
  );
}

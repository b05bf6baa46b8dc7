import { useMutation, useQueryClient } from "@tanstack/react-query";
import { memo, useState } from "react";
import { exportUrl } from "@/api/exports";
import { queries } from "@/api/queries";
import { endedTrials, isTerminal } from "@/api/states";
import { cancelRun, type Run } from "@/api/generated";
import { Button, ButtonLink, FileLink } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { RoleHint } from "@/components/RoleHint";
import { StarButton } from "@/components/StarButton";
import { Note } from "@/components/Status";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";
import { DeleteDialog } from "./DeleteDialog";
import { ExportDialog } from "./ExportDialog";
import { ShareDialog } from "./ShareDialog";

const t = messages("runs");

/** The actions of a run: repeat, compare, report, export, share, cancel while it is in progress, and delete afterwards. */
export const RunActions = memo(function RunActions({ run }: { run: Run }) {
  const [open, setOpen] = useState<"cancel" | "delete" | "share" | "export" | null>(null);
  const mayShare = useMay("share");
  const mayWrite = useMay("write");
  const over = isTerminal(run.state);
  return (
    <>
      <StarButton runId={run.id} title={run.title} />
      <ButtonLink to={`/new?experiment=${run.experiment_id}`} kind="ghost">
        {mayWrite ? t("adapt") : t("definition")}
      </ButtonLink>
      <ButtonLink to={`/compare?b=${run.id}`} kind="ghost">
        {t("compareWith")}
      </ButtonLink>
      <FileLink href={exportUrl(run.id, "report")}>{t("report")}</FileLink>
      <Button kind="ghost" onClick={() => setOpen("export")}>
        {t("export")}
      </Button>
      {mayShare && (
        <Button kind={over ? "primary" : "ghost"} onClick={() => setOpen("share")}>
          {over ? t("share") : t("shareLive")}
        </Button>
      )}
      {!mayShare && <RoleHint what={t("shareHint")} />}
      {!over && mayWrite && (
        <Button kind="danger" disabled={run.cancel_requested} onClick={() => setOpen("cancel")}>
          {run.cancel_requested ? t("cancellingNow") : t("cancelRun")}
        </Button>
      )}
      {over && mayWrite && (
        <Button kind="ghost" onClick={() => setOpen("delete")}>
          {t("delete")}
        </Button>
      )}
      <DeleteDialog run={run} open={open === "delete"} onClose={() => setOpen(null)} />
      <CancelDialog run={run} open={open === "cancel" && !over} onClose={() => setOpen(null)} />
      <ExportDialog runId={run.id} open={open === "export"} onClose={() => setOpen(null)} />
      <ShareDialog runId={run.id} runTitle={run.title} ended={over} open={open === "share"} onClose={() => setOpen(null)} />
    </>
  );
});

function CancelDialog({ run, open, onClose }: { run: Run; open: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelRun({ path: { run_id: run.id } }),
    onSuccess: (answer) => {
      client.setQueryData(queries.run(run.id).queryKey, answer);
      onClose();
    },
  });
  const { total } = run.progress;
  return (
    <Dialog
      title={t("cancelTitle")}
      open={open}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t("keepRunning")}</Button>
          <Button kind="danger" busy={cancel.isPending} onClick={() => cancel.mutate()}>
            {t("cancelRun")}
          </Button>
        </>
      }
    >
      <p>
        {t("cancelExplained", { count: total - endedTrials(run.progress), total })}
      </p>
      {cancel.isError && <Note tone="bad">{cancel.error.message}</Note>}
    </Dialog>
  );
}

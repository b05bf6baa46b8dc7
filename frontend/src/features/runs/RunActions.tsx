import { useMutation, useQueryClient } from "@tanstack/react-query";
import { lazy, memo, useState } from "react";
import { queries } from "@/api/queries";
import { endedTrials, isTerminal } from "@/api/states";
import { cancelRun, type Run } from "@/api/generated";
import { Button, ButtonLink } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { MenuButton } from "@/components/MenuButton";
import { RoleHint } from "@/components/RoleHint";
import { StarButton } from "@/components/StarButton";
import { Note } from "@/components/Status";
import { useMay } from "@/components/useMay";
import { messages, withMessages } from "@/messages";
import { DeleteDialog } from "./DeleteDialog";
import { ExportDialog } from "./ExportDialog";
import styles from "./RunActions.module.css";
import { ShareDialog } from "./ShareDialog";

const t = messages("runs");
const RunItems = lazy(() => withMessages(import("./RunItems")));

/** The actions of a run in one row: cancel while it is in progress, share, export, run again, more. */
export const RunActions = memo(function RunActions({ run }: { run: Run }) {
  const [open, setOpen] = useState<"cancel" | "delete" | "share" | "export" | null>(null);
  const mayShare = useMay("share");
  const mayWrite = useMay("write");
  const over = isTerminal(run.state);
  return (
    <>
      {!over && mayWrite && (
        <Button kind="danger" disabled={run.cancel_requested} onClick={() => setOpen("cancel")}>
          {run.cancel_requested ? t("cancellingNow") : t("cancelRun")}
        </Button>
      )}
      {mayShare && (
        <Button kind={over ? "primary" : "plain"} onClick={() => setOpen("share")}>
          {over ? t("share") : t("shareLive")}
        </Button>
      )}
      {!mayShare && <RoleHint what={t("shareHint")} />}
      <Button onClick={() => setOpen("export")}>{t("export")}</Button>
      <ButtonLink to={`/new?experiment=${run.experiment_id}`}>
        {mayWrite ? t("runAgain") : t("definition")}
      </ButtonLink>
      <span className={styles.star}>
        <StarButton runId={run.id} title={run.title} />
      </span>
      <MenuButton button="⋯" label={t("more")} kind="plain">
        <RunItems run={run} onDelete={over && mayWrite ? () => setOpen("delete") : undefined} />
      </MenuButton>
      <DeleteDialog run={run} open={open === "delete"} onClose={() => setOpen(null)} />
      <CancelDialog run={run} open={open === "cancel" && !over} onClose={() => setOpen(null)} />
      <ExportDialog run={run} open={open === "export"} onClose={() => setOpen(null)} />
      <ShareDialog
        runId={run.id}
        runTitle={run.title}
        ended={over}
        open={open === "share"}
        onClose={() => setOpen(null)}
      />
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
      <p>{t("cancelExplained", { count: total - endedTrials(run.progress), total })}</p>
      {cancel.isError && <Note tone="bad">{cancel.error.message}</Note>}
    </Dialog>
  );
}

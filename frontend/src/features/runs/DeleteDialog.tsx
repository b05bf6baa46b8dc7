import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { deleteRun, type Run } from "@/api/generated";
import { queries, RUNS } from "@/api/queries";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { Note } from "@/components/Status";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";

const t = messages("runs");

/** Asks before a run is deleted for good, then opens the start page. */
export function DeleteDialog({ run, open, onClose }: { run: Run; open: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => deleteRun({ path: { run_id: run.id } }),
    onSuccess: async () => {
      await navigate("/");
      client.removeQueries({ queryKey: queries.run(run.id).queryKey });
      await client.invalidateQueries({ queryKey: RUNS });
    },
  });
  return (
    <Dialog
      title={t("deleteTitle")}
      open={open}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t("keepRun")}</Button>
          <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            {t("deleteForGood")}
          </Button>
        </>
      }
    >
      <p>
        {t("deleteExplained", { title: run.title, count: run.progress.total })}
      </p>
      <p>
        <RichText namespace="runs" id="deleteAudit" parts={{ c: <code /> }} />
      </p>
      {remove.isError && <Note tone="bad">{remove.error.message}</Note>}
    </Dialog>
  );
}

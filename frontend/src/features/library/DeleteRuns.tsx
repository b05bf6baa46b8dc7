import { useMutation, useQueryClient } from "@tanstack/react-query";
import { deleteRun, type LibraryRun } from "@/api/generated";
import { queries, RUNS } from "@/api/queries";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { Note } from "@/components/Status";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import styles from "./LibraryPage.module.css";

const t = messages("library");

interface Props {
  runs: readonly LibraryRun[];
  open: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Asks before runs are deleted for good: says what is deleted, and what the audit log has of it. */
export function DeleteRuns({ runs, open, onClose, onDone }: Props) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: async () => {
      for (const { id } of runs) {
        await deleteRun({ path: { run_id: id } });
        client.removeQueries({ queryKey: queries.run(id).queryKey });
      }
    },
    onSuccess: () => {
      onClose();
      onDone();
    },
    onSettled: () => client.invalidateQueries({ queryKey: RUNS }),
  });
  return (
    <Dialog
      title={t("deleteTitle", { count: runs.length })}
      open={open}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t("keep", { count: runs.length })}</Button>
          <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>{t("deleteForGood")}</Button>
        </>
      }
    >
      <div className={styles.delete}>
        <ul>
          {runs.map(({ id, title, host }) => (
            <li key={id}>{t("runOnHost", { title, host })}</li>
          ))}
        </ul>
        <p>{t("deleteText")}</p>
        <p>
          <RichText namespace="library" id="deleteAudit" parts={{ c: <code /> }} />
        </p>
        {remove.isError && <Note tone="bad">{remove.error.message}</Note>}
      </div>
    </Dialog>
  );
}

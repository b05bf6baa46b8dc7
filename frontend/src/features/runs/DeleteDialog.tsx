import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { deleteRun, type Run } from "@/api/generated";
import { queries, RUNS } from "@/api/queries";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { plural } from "@/components/format";
import { Note } from "@/components/Status";

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
      title="Delete this run?"
      open={open}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep the run</Button>
          <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            Delete for good
          </Button>
        </>
      }
    >
      <p>
        “{run.title}” with {plural(run.progress.total, "trial")}, all results and raw output is deleted. Its links open nothing any more. This cannot be undone.
      </p>
      {remove.isError && <Note tone="bad">{remove.error.message}</Note>}
    </Dialog>
  );
}

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { cancelRunGroup, type RunGroup } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button, ButtonLink } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { plural } from "@/components/format";
import { Note } from "@/components/Status";
import { useMay } from "@/components/useMay";

/** The actions of a group: run again, and cancel while a run is in progress. */
export function GroupActions({ group, ended }: { group: RunGroup; ended: boolean }) {
  const [open, setOpen] = useState(false);
  const mayWrite = useMay("write");
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelRunGroup({ path: { group_id: group.id } }),
    onSuccess: (answer) => {
      client.setQueryData(queries.group(group.id).queryKey, answer);
      setOpen(false);
    },
  });
  const active = group.members.filter(({ state }) => state === "queued" || state === "running").length;
  const requested = active > 0 && group.members.every(({ state, cancel_requested }) => cancel_requested || (state !== "queued" && state !== "running"));
  return (
    <>
      <ButtonLink to={`/new?experiment=${group.experiment_id}`} kind="ghost">{mayWrite ? "Adapt and run again" : "Definition and plan"}</ButtonLink>
      {!ended && mayWrite && (
        <Button kind="danger" disabled={requested} onClick={() => setOpen(true)}>{requested ? "Cancelling…" : "Cancel all runs"}</Button>
      )}
      <Dialog
        title="Cancel these runs?"
        open={open && !ended}
        onClose={() => setOpen(false)}
        actions={
          <>
            <Button onClick={() => setOpen(false)}>Keep running</Button>
            <Button kind="danger" busy={cancel.isPending} onClick={() => cancel.mutate()}>Cancel all runs</Button>
          </>
        }
      >
        <p>{plural(active, "run")} in progress end now; ended ones keep their results. A host whose run was cancelled takes no part in the judgement whether hosts disagree.</p>
        {cancel.isError && <Note tone="bad">{cancel.error.message}</Note>}
      </Dialog>
    </>
  );
}

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { GROUP_EXPORTS, groupExportUrl } from "@/api/exports";
import { cancelRunGroup, deleteRunGroup, type RunGroup } from "@/api/generated";
import { GROUPS, queries, RUNS } from "@/api/queries";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { plural } from "@/components/format";
import { LinkList } from "@/components/LinkList";
import { Note } from "@/components/Status";

interface Props {
  group: RunGroup;
  open: boolean;
  onClose: () => void;
}

/** Asks before all runs of a group that have not ended are cancelled; `active` is their number. */
export function CancelDialog({ group, active, open, onClose }: Props & { active: number }) {
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelRunGroup({ path: { group_id: group.id } }),
    onSuccess: (answer) => {
      client.setQueryData(queries.group(group.id).queryKey, answer);
      onClose();
    },
  });
  return (
    <Dialog
      title="Cancel these runs?"
      open={open}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep running</Button>
          <Button kind="danger" busy={cancel.isPending} onClick={() => cancel.mutate()}>Cancel all runs</Button>
        </>
      }
    >
      <p>{plural(active, "run")} in progress end now; ended ones keep their results. A host whose run was cancelled takes no part in the judgement whether hosts disagree.</p>
      {cancel.isError && <Note tone="bad">{cancel.error.message}</Note>}
    </Dialog>
  );
}

/** Asks before a group is deleted for good with its runs, then opens the list of groups. */
export function DeleteDialog({ group, open, onClose }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const runs = group.members.flatMap(({ run_id }) => run_id ?? []);
  const trials = group.members.reduce((sum, { progress }) => sum + (progress?.total ?? 0), 0);
  const remove = useMutation({
    mutationFn: () => deleteRunGroup({ path: { group_id: group.id } }),
    onSuccess: async () => {
      await navigate("/run-groups");
      client.removeQueries({ queryKey: queries.group(group.id).queryKey });
      for (const id of runs) client.removeQueries({ queryKey: queries.run(id).queryKey });
      await Promise.all([GROUPS, RUNS].map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
  return (
    <Dialog
      title="Delete this group and its runs?"
      open={open}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep the group</Button>
          <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>Delete for good</Button>
        </>
      }
    >
      <p>
        “{group.title}”, its {plural(runs.length, "run")} with {plural(trials, "trial")}, all results and raw output are deleted. Links to these runs open nothing any more. This cannot be undone. To delete the run of one host only, open that run.
      </p>
      {remove.isError && <Note tone="bad">{remove.error.message}</Note>}
    </Dialog>
  );
}

/** The files of a group's result; `metric` is the shown one, null for the first. */
export function ExportDialog({ group, metric, open, onClose }: Props & { metric: string | null }) {
  return (
    <Dialog title="Export this result" open={open} onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
      <LinkList
        label="Files"
        links={GROUP_EXPORTS.map(({ format, label, about }) => ({ href: groupExportUrl(group.id, format, format === "markdown" && metric !== null ? { metric } : undefined), label, about }))}
      />
      <p>The chart has links to its image. Each run has exports of its own, with every trial.</p>
    </Dialog>
  );
}

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { GROUP_EXPORTS, groupExportUrl } from "@/api/exports";
import { cancelRunGroup, deleteRunGroup, type RunGroup } from "@/api/generated";
import { GROUPS, queries, RUNS } from "@/api/queries";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { formatNumber } from "@/components/format";
import { LinkList } from "@/components/LinkList";
import { Note } from "@/components/Status";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";

const t = messages("groups");

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
      title={t("cancelTitle")}
      open={open}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t("keepRunning")}</Button>
          <Button kind="danger" busy={cancel.isPending} onClick={() => cancel.mutate()}>{t("cancelAll")}</Button>
        </>
      }
    >
      <p>{t("cancelText", { count: active })}</p>
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
      title={t("deleteTitle")}
      open={open}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t("keepGroup")}</Button>
          <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>{t("deleteForGood")}</Button>
        </>
      }
    >
      <p>
        {t("deleteText", { title: group.title, runs: formatNumber(runs.length), trials: formatNumber(trials) })}
      </p>
      <p>
        <RichText namespace="groups" id="deleteAudit" parts={{ c: <code /> }} />
      </p>
      {remove.isError && <Note tone="bad">{remove.error.message}</Note>}
    </Dialog>
  );
}

function aboutOf(format: (typeof GROUP_EXPORTS)[number]["format"]): string {
  return { csv: t("csvAbout"), json: t("jsonAbout"), markdown: t("markdownAbout") }[format];
}

/** The files of a group's result; `metric` is the shown one, null for the first. */
export function ExportDialog({ group, metric, open, onClose }: Props & { metric: string | null }) {
  return (
    <Dialog title={t("exportTitle")} open={open} onClose={onClose} actions={<Button onClick={onClose}>{t("close")}</Button>}>
      <LinkList
        label={t("files")}
        links={GROUP_EXPORTS.map(({ format, label }) => ({ href: groupExportUrl(group.id, format, format === "markdown" && metric !== null ? { metric } : undefined), label, about: aboutOf(format) }))}
      />
      <p>{t("exportText")}</p>
    </Dialog>
  );
}

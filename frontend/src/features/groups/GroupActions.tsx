import { useState } from "react";
import type { RunGroup } from "@/api/generated";
import { Button, ButtonLink } from "@/components/Button";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";
import { CancelDialog, DeleteDialog, ExportDialog } from "./GroupDialogs";

const t = messages("groups");

interface Props {
  group: RunGroup;
  ended: boolean;
  /** The shown metric, null for the first. */
  metric: string | null;
}

/** The actions of a group: run again, export, cancel while a run is in progress, and delete afterwards. */
export function GroupActions({ group, ended, metric }: Props) {
  const [open, setOpen] = useState<"cancel" | "delete" | "export" | null>(null);
  const mayWrite = useMay("write");
  const close = () => setOpen(null);
  const active = group.members.filter(({ state }) => state === "queued" || state === "running").length;
  const requested = active > 0 && group.members.every(({ state, cancel_requested }) => cancel_requested || (state !== "queued" && state !== "running"));
  return (
    <>
      <ButtonLink to={`/new?experiment=${group.experiment_id}`} kind="ghost">{mayWrite ? t("adapt") : t("definition")}</ButtonLink>
      <Button kind="ghost" onClick={() => setOpen("export")}>{t("export")}</Button>
      {!ended && mayWrite && (
        <Button kind="danger" disabled={requested} onClick={() => setOpen("cancel")}>{requested ? t("cancelling") : t("cancelAll")}</Button>
      )}
      {ended && mayWrite && <Button kind="ghost" onClick={() => setOpen("delete")}>{t("delete")}</Button>}
      <CancelDialog group={group} active={active} open={open === "cancel" && !ended} onClose={close} />
      <DeleteDialog group={group} open={open === "delete"} onClose={close} />
      <ExportDialog group={group} metric={metric} open={open === "export"} onClose={close} />
    </>
  );
}

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { SHARES } from "@/api/queries";
import { createShare } from "@/api/generated";
import { Button, ButtonLink } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { Note } from "@/components/Status";
import { messages } from "@/messages";
import { NewLink } from "./NewLink";
import { ShareChoices, type Choices } from "./ShareChoices";
import { ShareList } from "./ShareList";

const t = messages("runs");

interface Props {
  runId: string;
  runTitle: string;
  /** Whether the run has ended. */
  ended: boolean;
  open: boolean;
  onClose: () => void;
}

/** The dialog that creates a read-only link to a result, shows it once, and lists the earlier links. */
export function ShareDialog({ runId, runTitle, ended, open, onClose }: Props) {
  const [chosen, setChoices] = useState<Choices>({ kind: "private", mode: "snapshot", expires_in_days: 30, title: "" });
  const choices: Choices = ended ? chosen : { ...chosen, mode: "live" };
  const title = choices.title.trim();
  const client = useQueryClient();
  const make = useMutation({
    mutationFn: () => createShare({ path: { run_id: runId }, body: { ...choices, title: title || null } }),
    onSuccess: () => client.invalidateQueries({ queryKey: SHARES }),
  });
  const close = () => {
    make.reset();
    onClose();
  };
  return (
    <Dialog
      title={t("shareTitle")}
      open={open}
      onClose={close}
      actions={
        <>
          <ButtonLink to="/links" kind="ghost">
            {t("allLinks")}
          </ButtonLink>
          <Button onClick={close}>{t("close")}</Button>
          {!make.data && (
            <Button kind="primary" busy={make.isPending} onClick={() => make.mutate()}>
              {t("createLink")}
            </Button>
          )}
        </>
      }
    >
      <p>{t("shareExplained")}</p>
      {make.data ? <NewLink share={make.data} title={make.data.title ?? runTitle} /> : <ShareChoices choices={choices} ended={ended} onChange={setChoices} />}
      {make.error && <Note tone="bad">{make.error.message}</Note>}
      {open && <ShareList runId={runId} />}
    </Dialog>
  );
}

import { useQuery } from "@tanstack/react-query";
import { commandsUrl } from "@/api/exports";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { CopyButton } from "@/components/CopyButton";
import { Dialog } from "@/components/Dialog";
import { QueryStatus } from "@/components/Status";
import { messages } from "@/messages";
import styles from "./RunActions.module.css";

const t = messages("runs");

interface Props {
  runId: string;
  cellId: string;
  open: boolean;
  onClose: () => void;
}

/** The dialog with the script that repeats a cell on any Docker host, without Plimsoll. */
export function RepeatDialog({ runId, cellId, open, onClose }: Props) {
  const script = useQuery({ ...queries.commands(runId, cellId), enabled: open });
  return (
    <Dialog
      title={t("repeatTitle")}
      open={open}
      onClose={onClose}
      wide
      actions={
        <>
          {script.data !== undefined && <CopyButton text={script.data} label={t("copyScript")} />}
          {script.data !== undefined && (
            <a className={styles.download} href={commandsUrl(runId, cellId)} download={`${cellId}.sh`}>
              {t("download")}
            </a>
          )}
          <Button onClick={onClose}>{t("close")}</Button>
        </>
      }
    >
      <p>{t("repeatExplained")}</p>
      <QueryStatus query={script} label={t("scriptLoading")} rows={6} />
      {script.data !== undefined && (
        <pre className={styles.script} tabIndex={0} aria-label={t("script")}>
          {script.data}
        </pre>
      )}
    </Dialog>
  );
}

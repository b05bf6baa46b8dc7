import { useQuery } from "@tanstack/react-query";
import { commandsUrl } from "@/api/exports";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { CopyButton } from "@/components/CopyButton";
import { Dialog } from "@/components/Dialog";
import { QueryStatus } from "@/components/Status";
import styles from "./RunActions.module.css";

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
      title="Repeat without Plimsoll"
      open={open}
      onClose={onClose}
      wide
      actions={
        <>
          {script.data !== undefined && <CopyButton text={script.data} label="Copy script" />}
          {script.data !== undefined && (
            <a className={styles.download} href={commandsUrl(runId, cellId)} download={`${cellId}.sh`}>
              Download
            </a>
          )}
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <p>A shell script with the networks, containers and commands of this cell. It needs Docker but not Plimsoll; read it before you run it.</p>
      <QueryStatus query={script} label="Loading the script" rows={6} />
      {script.data !== undefined && (
        <pre className={styles.script} tabIndex={0} aria-label="Script">
          {script.data}
        </pre>
      )}
    </Dialog>
  );
}

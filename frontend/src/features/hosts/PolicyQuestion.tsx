import { Link } from "react-router";
import type { PolicyEffect } from "@/api/generated";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { plural } from "@/components/format";
import styles from "./Policy.module.css";

interface Props {
  host: string;
  effect: PolicyEffect | undefined;
  busy: boolean;
  onKeep: () => void;
  onSave: () => void;
}

/** The question before a policy is stored that forbids trials of runs that wait or run. */
export function PolicyQuestion({ host, effect, busy, onKeep, onSave }: Props) {
  return (
    <Dialog
      title={`The policy forbids trials that wait on ${host}`}
      open={effect !== undefined}
      onClose={onKeep}
      actions={
        <>
          <Button onClick={onKeep}>Back to the form</Button>
          <Button kind="danger" busy={busy} onClick={onSave}>
            Save it, these trials fail
          </Button>
        </>
      }
    >
      {effect && (
        <>
          <p>
            {plural(effect.trials, "trial")} of runs that started before would fail when their turn comes, with this reason. Their runs end as incomplete; trials that are recorded already stay.
          </p>
          <ul className={styles.list} aria-label="Runs with forbidden trials">
            {effect.runs.map((run) => (
              <li key={run.id}>
                <Link to={`/runs/${run.id}`}>{run.title}</Link>: {plural(run.trials, "trial")}
              </li>
            ))}
            {effect.other_runs > 0 && <li>{plural(effect.other_runs, "run")} of other teams</li>}
          </ul>
          <ul className={styles.list} aria-label="Reasons">
            {effect.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}

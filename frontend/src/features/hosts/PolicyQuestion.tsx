import { Link } from "react-router";
import type { PolicyEffect } from "@/api/generated";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { messages } from "@/messages";
import styles from "./Policy.module.css";

const t = messages("hosts");

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
      title={t("policyQuestion", { host })}
      open={effect !== undefined}
      onClose={onKeep}
      actions={
        <>
          <Button onClick={onKeep}>{t("backToForm")}</Button>
          <Button kind="danger" busy={busy} onClick={onSave}>
            {t("saveTheyFail")}
          </Button>
        </>
      }
    >
      {effect && (
        <>
          <p>
            {t("policyEffect", { count: effect.trials })}
          </p>
          <ul className={styles.list} aria-label={t("forbiddenRuns")}>
            {effect.runs.map((run) => (
              <li key={run.id}>
                <Link to={`/runs/${run.id}`}>{run.title}</Link>: {t("trials", { count: run.trials })}
              </li>
            ))}
            {effect.other_runs > 0 && <li>{t("otherRuns", { count: effect.other_runs })}</li>}
          </ul>
          <ul className={styles.list} aria-label={t("reasons")}>
            {effect.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}

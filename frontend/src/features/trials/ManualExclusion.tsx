import { useMutation, useQueryClient } from "@tanstack/react-query";
import { fieldErrors } from "@/api/errors";
import { excludeTrial, includeTrial, type Exclusion, type TrialDetail } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { Field } from "@/components/Field";
import { formatZonedTime } from "@/components/format";
import { Note } from "@/components/Status";
import { useKept } from "@/components/useKept";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";
import styles from "./ManualExclusion.module.css";

const t = messages("trials");

const LONGEST = 300;

/** Excludes a recorded trial from the statistics for a reason, or includes it again; shows who did so before. */
export function ManualExclusion({ trial }: { trial: TrialDetail }) {
  const [reason, setReason] = useKept("reason", "");
  const client = useQueryClient();
  // Every result, list and comparison may contain the trial.
  const refresh = () => client.invalidateQueries();
  const path = { trial_id: trial.id };
  const exclude = useMutation({ mutationFn: (why: string) => excludeTrial({ path, body: { reason: why } }), onSuccess: () => setReason(""), onSettled: refresh });
  const include = useMutation({ mutationFn: () => includeTrial({ path }), onSettled: refresh });
  const mayWrite = useMay("write");
  if (trial.state !== "done" || (!mayWrite && !trial.exclusions?.length)) return null;
  const submit = (event: React.SyntheticEvent) => {
    event.preventDefault();
    exclude.mutate(reason);
  };
  const error = exclude.error ?? include.error;
  const errors = fieldErrors(exclude.error);
  return (
    <Card title={t("exclusionTitle")} note={t("exclusionNote")}>
      {!mayWrite ? null : trial.excluded ? (
        <Button busy={include.isPending} onClick={() => include.mutate()}>
          {t("includeAgain")}
        </Button>
      ) : (
        <form className={styles.form} onSubmit={submit}>
          <Field label={t("reason")} hint={t("reasonHint")} errors={errors}>
            {(ids) => <input {...ids} required maxLength={LONGEST} value={reason} onChange={(event) => setReason(event.target.value)} />}
          </Field>
          <Button type="submit" kind="danger" busy={exclude.isPending} disabled={reason.trim() === ""}>
            {t("excludeTrial")}
          </Button>
        </form>
      )}
      {error && errors.length === 0 && <Note tone="bad">{error.message}</Note>}
      <Entries entries={trial.exclusions ?? []} />
    </Card>
  );
}

/** The mark of an excluded trial. */
export function ExcludedNote({ reason }: { reason: string }) {
  return (
    <Note tone="warn">
      <strong>{t("excludedByHand")}</strong>
      <p>{reason}</p>
    </Note>
  );
}

function Entries({ entries }: { entries: readonly Exclusion[] }) {
  if (entries.length === 0) return null;
  return (
    <ol className={styles.entries} aria-label={t("earlierChanges")}>
      {entries.map(({ action, reason, by, at }) => (
        <li key={at}>
          {action === "excluded" ? t("excludedEntry", { time: formatZonedTime(at), by, reason: reason ?? "" }) : t("includedEntry", { time: formatZonedTime(at), by })}
        </li>
      ))}
    </ol>
  );
}

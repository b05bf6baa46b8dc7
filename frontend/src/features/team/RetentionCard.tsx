import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorsAt, fieldErrors } from "@/api/errors";
import { getRetention, previewRetention, setRetention } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { Dialog } from "@/components/Dialog";
import { Field } from "@/components/Field";
import { formatNumber, plural } from "@/components/format";
import { Failure, Note, QueryStatus } from "@/components/Status";
import { useMay } from "@/components/useMay";
import { DuePreview } from "./DuePreview";
import styles from "./Usage.module.css";

const KEY = ["retention"];
const MOST_DAYS = 36_500;

/** How long ended runs of the team are kept; administrators change it after they have seen what it deletes. */
export function RetentionCard() {
  const mayChange = useMay("admin");
  const kept = useQuery({ queryKey: KEY, queryFn: () => getRetention() });
  const days = kept.data?.days;
  return (
    <Card title="Retention" note="Deletes ended runs for good, with trials, results, raw output and links. Starred runs are kept; each deletion has an entry in the audit log">
      <QueryStatus query={kept} label="Loading the retention" rows={1} />
      {kept.data && <p>{days === null || days === undefined ? "Ended runs are kept until somebody deletes them." : `Ended runs are deleted ${plural(days, "day")} after their end.`}</p>}
      {kept.data && mayChange && <RetentionForm key={days ?? "never"} days={days ?? null} />}
      {kept.data && !mayChange && <Note tone="info">Only administrators of the team change this.</Note>}
    </Card>
  );
}

function RetentionForm({ days }: { days: number | null }) {
  const client = useQueryClient();
  const [text, setText] = useState(days === null ? "" : String(days));
  const [isAsking, setAsking] = useState(false);
  const wanted = Number(text);
  const isValid = /^\d+$/.test(text) && wanted >= 1 && wanted <= MOST_DAYS;
  const due = useQuery({ queryKey: [...KEY, "preview", wanted], queryFn: () => previewRetention({ query: { days: wanted } }), enabled: isValid, staleTime: 0 });
  const save = useMutation({
    mutationFn: (value: number | null) => setRetention({ body: { days: value } }),
    onSuccess: (saved) => client.setQueryData(KEY, saved),
    onSettled: () => setAsking(false),
  });
  const isChanged = isValid && wanted !== days;
  return (
    <>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged && due.data) setAsking(true);
        }}
      >
        <Field label="Days after the end of a run" hint={text !== "" && !isValid ? `a whole number from 1 to ${formatNumber(MOST_DAYS)}` : undefined} errors={errorsAt(fieldErrors(save.error), "/days")}>
          {(ids) => <input {...ids} inputMode="numeric" value={text} onChange={(event) => setText(event.target.value.trim())} />}
        </Field>
        <Button type="submit" kind="primary" disabled={!isChanged || !due.data} busy={save.isPending}>
          Delete after {isValid ? plural(wanted, "day") : "these days"}
        </Button>
        {days !== null && (
          <Button busy={save.isPending} onClick={() => save.mutate(null)}>
            Keep all runs
          </Button>
        )}
      </form>
      <div aria-live="polite" className={styles.preview}>
        {isValid && due.data && <DuePreview due={due.data} isNow={!isChanged} />}
      </div>
      {isValid && due.error && <Failure error={due.error} retry={() => void due.refetch()} />}
      {save.error && fieldErrors(save.error).length === 0 && <Note tone="bad">{save.error.message}</Note>}
      <Dialog
        title={`Delete runs ${plural(wanted, "day")} after their end?`}
        open={isAsking && isValid}
        onClose={() => setAsking(false)}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>Change nothing</Button>
            <Button kind="danger" busy={save.isPending} onClick={() => save.mutate(wanted)}>
              {due.data && due.data.runs > 0 ? `Delete ${plural(due.data.runs, "run")} now, others later` : "Turn on"}
            </Button>
          </>
        }
      >
        {due.data && <DuePreview due={due.data} isNow={false} />}
        <p>Every other run follows when it is so old, unless somebody stars it. Deleted runs cannot be restored.</p>
      </Dialog>
    </>
  );
}

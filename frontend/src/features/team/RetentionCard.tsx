import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorsAt, fieldErrors } from "@/api/errors";
import { getRetention, previewRetention, setRetention } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { Dialog } from "@/components/Dialog";
import { Field } from "@/components/Field";
import { formatNumber } from "@/components/format";
import { Failure, Note, QueryStatus } from "@/components/Status";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";
import { DuePreview } from "./DuePreview";
import styles from "./Usage.module.css";

const t = messages("team");

const KEY = ["retention"];
const MOST_DAYS = 36_500;

/** How long ended runs of the team are kept; administrators change it after they have seen what it deletes. */
export function RetentionCard() {
  const mayChange = useMay("admin");
  const kept = useQuery({ queryKey: KEY, queryFn: () => getRetention() });
  const days = kept.data?.days;
  return (
    <Card title={t("retention")} note={t("retentionNote")}>
      <QueryStatus query={kept} label={t("loadingRetention")} rows={1} />
      {kept.data && <p>{days === null || days === undefined ? t("keptForever") : t("deletedAfter", { count: days })}</p>}
      {kept.data && mayChange && <RetentionForm key={days ?? "never"} days={days ?? null} />}
      {kept.data && !mayChange && <Note tone="info">{t("adminsChange")}</Note>}
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
        <Field label={t("daysAfterEnd")} hint={text !== "" && !isValid ? t("wholeNumber", { most: formatNumber(MOST_DAYS) }) : undefined} errors={errorsAt(fieldErrors(save.error), "/days")}>
          {(ids) => <input {...ids} inputMode="numeric" value={text} onChange={(event) => setText(event.target.value.trim())} />}
        </Field>
        <Button type="submit" kind="primary" disabled={!isChanged || !due.data} busy={save.isPending}>
          {isValid ? t("deleteAfter", { count: wanted }) : t("deleteAfterThese")}
        </Button>
        {days !== null && (
          <Button busy={save.isPending} onClick={() => save.mutate(null)}>
            {t("keepAll")}
          </Button>
        )}
      </form>
      <div aria-live="polite" className={styles.preview}>
        {isValid && due.data && <DuePreview due={due.data} isNow={!isChanged} />}
      </div>
      {isValid && due.error && <Failure error={due.error} retry={() => void due.refetch()} />}
      {save.error && fieldErrors(save.error).length === 0 && <Note tone="bad">{save.error.message}</Note>}
      <Dialog
        title={t("retentionQuestion", { count: wanted })}
        open={isAsking && isValid}
        onClose={() => setAsking(false)}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>{t("changeNothing")}</Button>
            <Button kind="danger" busy={save.isPending} onClick={() => save.mutate(wanted)}>
              {due.data && due.data.runs > 0 ? t("deleteNow", { count: due.data.runs }) : t("turnOn")}
            </Button>
          </>
        }
      >
        {due.data && <DuePreview due={due.data} isNow={false} />}
        <p>{t("retentionWarning")}</p>
      </Dialog>
    </>
  );
}

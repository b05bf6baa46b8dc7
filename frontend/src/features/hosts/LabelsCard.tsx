import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { updateHost, type Host } from "@/api/generated";
import { fieldErrors } from "@/api/errors";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { Field } from "@/components/Field";
import { Failure } from "@/components/Status";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";
import { Labels } from "./Labels";
import styles from "./HostPage.module.css";

const t = messages("hosts");

/** The labels of a host; administrators of the installation change them. */
export function LabelsCard({ host }: { host: Host }) {
  const mayChange = useMay("installation");
  const labels = host.labels ?? [];
  return (
    <Card title={t("labels")} note={t("labelsNote")}>
      {labels.length > 0 ? <Labels labels={labels} /> : <p className={styles.none}>{t("none")}</p>}
      {mayChange && <LabelForm key={labels.join()} host={host} />}
    </Card>
  );
}

function LabelForm({ host }: { host: Host }) {
  const client = useQueryClient();
  const stored = (host.labels ?? []).join(", ");
  const [text, setText] = useState(stored);
  const save = useMutation({
    mutationFn: () => updateHost({ path: { host: host.name }, body: { labels: text.split(/[\s,]+/).filter(Boolean) } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: queries.host(host.name).queryKey });
      await client.invalidateQueries({ queryKey: queries.hosts().queryKey });
    },
  });
  const errors = fieldErrors(save.error);
  return (
    <form
      className={styles.labelForm}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Field label={t("labelsOf")} hint={t("labelsHint")} errors={errors}>
        {(ids) => <input {...ids} maxLength={900} spellCheck={false} value={text} onChange={(event) => setText(event.target.value)} />}
      </Field>
      <Button type="submit" busy={save.isPending} disabled={text === stored}>
        {t("saveLabels")}
      </Button>
      {save.error && errors.length === 0 && <Failure error={save.error} />}
    </form>
  );
}

import { useState } from "react";
import { errorsAt, type FieldError } from "@/api/errors";
import type { ExperimentDraft } from "@/api/draft";
import { Field } from "@/components/Field";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import styles from "./DefinitionForm.module.css";
import { sameLevels } from "./document";
import { thresholdsOf, withLimit, withThresholds } from "./stopping";
import { OptionalCount } from "./TextFields";

const t = messages("experiments");

interface Props {
  document: ExperimentDraft;
  onChange: (document: ExperimentDraft) => void;
  errors: readonly FieldError[];
}

/** The fields of the thresholds and of the latency limit of a sweep. */
export function Limits({ document, onChange, errors }: Props) {
  const written = Array.isArray(document.thresholds) ? document.thresholds : [];
  const [text, setText] = useState(written.join("\n"));
  const shown = sameLevels(thresholdsOf(text), written) ? text : written.join("\n");
  const set = written.length > 0 || document.latency_limit_ms != null;
  const refused = [...errorsAt(errors, "/thresholds"), ...errorsAt(errors, "/latency_limit_ms")].length > 0;
  const [open, setOpen] = useState(set);
  // The error of one threshold is shown with its text.
  const placed = errorsAt(errors, "/thresholds").map((error) => {
    const threshold = written[Number(error.pointer.split("/")[2])];
    return threshold === undefined ? error : { ...error, detail: t("thresholdError", { threshold, detail: error.detail }) };
  });
  return (
    <details className={styles.more} open={open || refused} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <RichText namespace="experiments" id={set ? "limitsSet" : "limitsNone"} values={{ count: written.length + (document.latency_limit_ms == null ? 0 : 1) }} parts={{ quiet: <span className={styles.count} /> }} />
      </summary>
      <div className={styles.limits}>
        <Field label={t("thresholds")} hint={t("thresholdsHint")} errors={placed}>
          {(ids) => (
            <textarea
              {...ids}
              rows={Math.max(3, shown.split("\n").length)}
              value={shown}
              spellCheck={false}
              onChange={(event) => {
                setText(event.target.value);
                onChange(withThresholds(document, thresholdsOf(event.target.value)));
              }}
            />
          )}
        </Field>
        <OptionalCount
          label={t("latencyLimit")}
          hint={t("latencyLimitHint")}
          value={document.latency_limit_ms ?? null}
          errors={errorsAt(errors, "/latency_limit_ms")}
          onChange={(limit) => onChange(withLimit(document, limit))}
        />
      </div>
    </details>
  );
}

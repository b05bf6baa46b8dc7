import { useState } from "react";
import { errorsAt, type FieldError } from "@/api/errors";
import type { ExperimentDraft } from "@/api/draft";
import { Field } from "@/components/Field";
import { messages } from "@/messages";
import styles from "./DefinitionForm.module.css";
import { sameLevels } from "./document";
import { Fold } from "./Fold";
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
  const count = written.length + (document.latency_limit_ms == null ? 0 : 1);
  const of = ["/thresholds", "/latency_limit_ms"];
  const refused = of.some((pointer) => errorsAt(errors, pointer).length > 0);
  // The error of one threshold is shown with its text.
  const placed = errorsAt(errors, "/thresholds").map((error) => {
    const threshold = written[Number(error.pointer.split("/")[2])];
    if (threshold === undefined) return error;
    return { ...error, detail: t("thresholdError", { threshold, detail: error.detail }) };
  });
  return (
    <Fold
      title={t("limits")}
      note={count === 0 ? t("limitsNone") : t("limitsSet", { count })}
      isRefused={refused}
      isOpenAtFirst={count > 0}
    >
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
    </Fold>
  );
}

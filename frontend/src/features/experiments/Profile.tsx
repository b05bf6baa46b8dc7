import { useId } from "react";
import type { ExperimentDraft } from "@/api/draft";
import { errorsAt, type FieldError } from "@/api/errors";
import { FieldErrors } from "@/components/FieldErrors";
import field from "@/components/Field.module.css";
import { messages } from "@/messages";

const t = messages("experiments");

interface Props {
  document: ExperimentDraft;
  onChange: (document: ExperimentDraft) => void;
  errors: readonly FieldError[];
}

/** Whether an extra trial of each cell takes a CPU profile after the run. */
export function Profile({ document, onChange, errors }: Props) {
  const note = useId();
  const refused = errorsAt(errors, "/profile");
  const change = (on: boolean) => {
    const next = { ...document };
    if (on) next.profile = true;
    else delete next.profile;
    onChange(next);
  };
  return (
    <div className={field.field} data-invalid={refused.length > 0 || undefined}>
      <label>
        <input type="checkbox" checked={document.profile === true} aria-describedby={note} onChange={(event) => change(event.target.checked)} /> {t("profile")}
      </label>
      <div id={note} className={field.note}>{refused.length > 0 ? <FieldErrors errors={refused} /> : t("profileHint")}</div>
    </div>
  );
}

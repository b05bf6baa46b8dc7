import { useState } from "react";
import type { FieldError } from "@/api/errors";
import { messages } from "@/messages";
import { Field } from "./Field";
import styles from "./PasswordField.module.css";

const t = messages("common");

interface Props {
  label: string;
  hint?: React.ReactNode;
  errors?: readonly FieldError[];
  value: string;
  onChange: (value: string) => void;
  autoComplete: "current-password" | "new-password";
  required?: boolean;
}

/** A password with a button that shows what was typed. */
export function PasswordField({ label, hint, errors = [], value, onChange, autoComplete, required = true }: Props) {
  const [shown, show] = useState(false);
  return (
    <Field label={label} hint={hint} errors={errors}>
      {(ids) => (
        <div className={styles.line}>
          <input {...ids} type={shown ? "text" : "password"} value={value} onChange={(event) => onChange(event.target.value)} autoComplete={autoComplete} autoCapitalize="none" spellCheck={false} maxLength={256} required={required} />
          <button type="button" aria-pressed={shown} aria-label={t("showField", { label })} onClick={() => show(!shown)}>
            {shown ? t("hide") : t("show")}
          </button>
        </div>
      )}
    </Field>
  );
}

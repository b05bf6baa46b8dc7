import { useState } from "react";
import { errorsAt, errorsOutside, fieldErrors } from "@/api/errors";
import { Button } from "@/components/Button";
import { Field } from "@/components/Field";
import { Failure } from "@/components/Status";
import styles from "./Account.module.css";

interface Props {
  label: string;
  hint: string;
  action: string;
  busy: boolean;
  error: unknown;
  onCode: (code: string) => void;
  children?: (code: string) => React.ReactNode;
}

/** A field for a code with its button, and other buttons that use the code, too. */
export function CodeForm({ label, hint, action, busy, error, onCode, children }: Props) {
  const [code, setCode] = useState("");
  const errors = fieldErrors(error);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        onCode(code.trim());
      }}
    >
      <Field label={label} hint={hint} errors={errorsAt(errors, "/code")}>
        {(ids) => <input {...ids} value={code} onChange={(event) => setCode(event.target.value)} required maxLength={64} autoComplete="one-time-code" autoCapitalize="none" spellCheck={false} />}
      </Field>
      <Button type="submit" kind="primary" busy={busy} disabled={code.trim() === ""}>
        {action}
      </Button>
      {children?.(code.trim())}
      {error !== null && (errors.length === 0 || errorsOutside(errors, ["/code"]).length > 0) && <Failure error={error} />}
    </form>
  );
}

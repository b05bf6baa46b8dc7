import type { FieldError } from "@/api/errors";
import styles from "./FieldErrors.module.css";

/** Refused values, one a line; `pointers` names the field of each. */
export function FieldErrors({ errors, pointers = false }: { errors: readonly FieldError[]; pointers?: boolean }) {
  return errors.map(({ pointer, code, detail }) => (
    <span key={`${pointer} ${code} ${detail}`} className={styles.error}>
      ✕ {pointers && <code>{pointer || "/"} </code>}
      {detail}
    </span>
  ));
}

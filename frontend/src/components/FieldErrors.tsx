import type { FieldError } from "@/api/errors";
import styles from "./FieldErrors.module.css";

/** Errors, one per line; `pointers` adds the JSON pointer of each. */
export function FieldErrors({ errors, pointers = false }: { errors: readonly FieldError[]; pointers?: boolean }) {
  return errors.map(({ pointer, code, detail }) => (
    <span key={`${pointer} ${code} ${detail}`} className={styles.error}>
      ✕ {pointers && <code>{pointer || "/"} </code>}
      <bdi>{detail}</bdi>
    </span>
  ));
}

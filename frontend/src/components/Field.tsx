import { useId } from "react";
import type { FieldError } from "@/api/errors";
import { FieldErrors } from "./FieldErrors";
import styles from "./Field.module.css";

interface Props {
  label: string;
  hint?: React.ReactNode;
  errors: readonly FieldError[];
  children: (ids: { id: string; "aria-describedby": string; "aria-invalid": boolean }) => React.ReactNode;
}

/** A labelled field with a hint, or with the server's errors in its place. */
export function Field({ label, hint, errors, children }: Props) {
  const id = useId();
  const note = `${id}-note`;
  return (
    <div className={styles.field} data-invalid={errors.length > 0 || undefined}>
      <label htmlFor={id}>{label}</label>
      {children({ id, "aria-describedby": note, "aria-invalid": errors.length > 0 })}
      <div id={note} className={styles.note}>
        {errors.length > 0 ? <FieldErrors errors={errors} /> : hint}
      </div>
    </div>
  );
}

/** A labelled group of chips with a hint or errors. */
export function ChipField({ label, count, hint, errors, children }: Omit<Props, "children"> & { count?: string; children: React.ReactNode }) {
  const id = useId();
  return (
    <div className={styles.field} role="group" aria-labelledby={id} data-invalid={errors.length > 0 || undefined}>
      <span id={id} className={styles.label}>
        {label}
        {count && <span className={styles.count}> {count}</span>}
      </span>
      <div className={styles.chips}>{children}</div>
      <div className={styles.note}>
        {errors.length > 0 ? <FieldErrors errors={errors} /> : hint}
      </div>
    </div>
  );
}

export function Chip({ on, onToggle, children }: { on: boolean; onToggle: () => void; children: React.ReactNode }) {
  return (
    <button type="button" className={styles.chip} aria-pressed={on} onClick={onToggle}>
      <span aria-hidden="true">{on ? "✓" : "+"}</span>
      {children}
    </button>
  );
}

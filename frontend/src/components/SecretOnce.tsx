import { CopyButton } from "./CopyButton";
import styles from "./SecretOnce.module.css";

/** A new secret with a button that copies it; the server cannot show it again. */
export function SecretOnce({ label, text, note }: { label: string; text: string; note: string }) {
  return (
    <div className={styles.secret} role="status">
      <label>
        {label}
        <input readOnly value={text} onFocus={(event) => event.target.select()} />
      </label>
      <CopyButton text={text} kind="primary" />
      <p>{note}</p>
    </div>
  );
}

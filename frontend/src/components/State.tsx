import styles from "./State.module.css";
import type { StateLabel } from "./stateLabels";

interface Props {
  label: StateLabel;
  /** Replaces the state's own word. */
  children?: React.ReactNode;
  glyphOnly?: boolean;
}

/** A state as a coloured glyph and a word; the word may be for screen readers only. */
export function State({ label, children, glyphOnly = false }: Props) {
  return (
    <span className={styles.state} data-tone={label.tone} title={glyphOnly ? label.word : undefined}>
      <span className={styles.glyph} aria-hidden="true">
        {label.glyph}
      </span>
      <span className={glyphOnly ? "visually-hidden" : undefined}>{children ?? label.word}</span>
    </span>
  );
}

/** A state as a filled label. */
export function StateBadge({ label, children }: Omit<Props, "glyphOnly">) {
  return (
    <span className={styles.badge} data-tone={label.tone}>
      <span aria-hidden="true">{label.glyph}</span>
      <span>{children ?? label.word}</span>
    </span>
  );
}

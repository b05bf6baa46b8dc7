import styles from "./State.module.css";
import type { Told } from "./states";

interface Props {
  told: Told;
  /** The word in place of the state's own. */
  children?: React.ReactNode;
  glyphOnly?: boolean;
}

/** A state: its glyph in its tone, with its word beside it or for screen readers only. */
export function State({ told, children, glyphOnly = false }: Props) {
  return (
    <span className={styles.state} data-tone={told.tone} title={glyphOnly ? told.word : undefined}>
      <span className={styles.glyph} aria-hidden="true">
        {told.glyph}
      </span>
      <span className={glyphOnly ? "visually-hidden" : undefined}>{children ?? told.word}</span>
    </span>
  );
}

/** The same as a filled label. */
export function StateBadge({ told, children }: Omit<Props, "glyphOnly">) {
  return (
    <span className={styles.badge} data-tone={told.tone}>
      <span aria-hidden="true">{told.glyph}</span>
      <span>{children ?? told.word}</span>
    </span>
  );
}

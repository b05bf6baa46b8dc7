import styles from "./table.module.css";

interface Props {
  label: string;
  /** For tables whose cells name their column: they fold into blocks where they do not fit. */
  folding?: boolean;
  children: React.ReactNode;
}

/** A table that scrolls inside itself, by keyboard too, or folds. */
export function TableScroll({ label, folding = false, children }: Props) {
  return (
    <div className={folding ? styles.folding : styles.scroll} role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}

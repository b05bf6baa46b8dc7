import styles from "./table.module.css";

interface Props {
  label: string;
  /** Whether the table folds into blocks on narrow screens; its cells then need a `data-label`. */
  folding?: boolean;
  children: React.ReactNode;
}

/** A scrollable region for a table, which can be scrolled by keyboard. */
export function TableScroll({ label, folding = false, children }: Props) {
  return (
    <div className={folding ? styles.folding : styles.scroll} role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}

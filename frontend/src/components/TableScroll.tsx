import styles from "./table.module.css";

/** A table that scrolls inside itself, by keyboard too. */
export function TableScroll({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className={styles.scroll} role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}

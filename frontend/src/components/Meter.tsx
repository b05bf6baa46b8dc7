import styles from "./Meter.module.css";

/** A small bar beside a figure; hidden from screen readers, which read the figure. */
export function Meter({ value, most, color }: { value: number; most: number; color: string }) {
  const share = most > 0 ? Math.min(100, Math.max(0, (100 * value) / most)) : 0;
  return (
    <span className={styles.meter} aria-hidden="true">
      <span style={{ width: `${share}%`, background: color }} />
    </span>
  );
}

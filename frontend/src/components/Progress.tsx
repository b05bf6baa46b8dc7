import styles from "./Progress.module.css";

interface Props {
  done: number;
  failed: number;
  total: number;
  label: string;
}

/** A progress bar of ended trials; failed ones are hatched. */
export function Progress({ done, failed, total, label }: Props) {
  const share = (count: number) => `${total > 0 ? (100 * count) / total : 0}%`;
  return (
    <div className={styles.track} role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={total} aria-valuenow={done + failed}>
      <div className={styles.done} style={{ width: share(done) }} />
      <div className={styles.failed} style={{ width: share(failed) }} />
    </div>
  );
}

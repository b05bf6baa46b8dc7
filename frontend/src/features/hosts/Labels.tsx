import styles from "./HostPage.module.css";

export function Labels({ labels }: { labels: readonly string[] }) {
  return (
    <ul className={styles.labels} aria-label="Labels">
      {labels.map((label) => (
        <li key={label}>{label}</li>
      ))}
    </ul>
  );
}

import { messages } from "@/messages";
import styles from "./HostPage.module.css";

const t = messages("hosts");

export function Labels({ labels }: { labels: readonly string[] }) {
  return (
    <ul className={styles.labels} aria-label={t("labels")}>
      {labels.map((label) => (
        <li key={label}>{label}</li>
      ))}
    </ul>
  );
}

import { messages } from "@/messages";
import styles from "./RoleHint.module.css";

const t = messages("common");

/** What an account that only reads could do with the role runner, in place of the button. */
export function RoleHint({ what }: { what: string }) {
  return <span className={styles.hint}>{t("roleHint", { what })}</span>;
}

import styles from "./RoleHint.module.css";

/** What an account that only reads could do with the role runner, in place of the button. */
export function RoleHint({ what }: { what: string }) {
  return <span className={styles.hint}>With the role runner you could {what}.</span>;
}

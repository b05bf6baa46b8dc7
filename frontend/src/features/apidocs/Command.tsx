import { CopyButton } from "@/components/CopyButton";
import { messages } from "@/messages";
import styles from "./ApiDocsPage.module.css";

const t = messages("apidocs");

/** A command line with a button that copies it. */
export function Command({ text }: { text: string }) {
  return (
    <div className={styles.command}>
      <pre>{text}</pre>
      <CopyButton text={text} label={t("copyCurl")} />
    </div>
  );
}

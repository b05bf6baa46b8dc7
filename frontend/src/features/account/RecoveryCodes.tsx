import { useState } from "react";
import { Button } from "@/components/Button";
import { CopyButton } from "@/components/CopyButton";
import { Note } from "@/components/Status";
import { messages } from "@/messages";
import styles from "./SecondFactor.module.css";

const t = messages("account");

/** New recovery codes, until the person says that they are stored: the server cannot show them again. */
export function RecoveryCodes({ codes, onStored }: { codes: readonly string[]; onStored: () => void }) {
  const [stored, setStored] = useState(false);
  const text = `${codes.join("\n")}\n`;
  return (
    <div className={styles.codes} role="status">
      <Note tone="warn">{t("storeCodes")}</Note>
      <ul aria-label={t("recoveryCodes")}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.row}>
        <CopyButton text={text} kind="plain" label={t("copyAll")} />
        <a href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${t("codesOf", { host: window.location.host })}\n${text}`)}`} download="plimsoll-recovery-codes.txt">
          {t("downloadFile")}
        </a>
      </div>
      <label className={styles.check}>
        <input type="checkbox" checked={stored} onChange={(event) => setStored(event.target.checked)} />
        {t("storedSafely")}
      </label>
      <Button kind="primary" disabled={!stored} onClick={onStored}>
        {t("done")}
      </Button>
    </div>
  );
}

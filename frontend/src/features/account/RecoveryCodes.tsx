import { useState } from "react";
import { Button } from "@/components/Button";
import { CopyButton } from "@/components/CopyButton";
import { Note } from "@/components/Status";
import styles from "./SecondFactor.module.css";

/** New recovery codes, until the person says that they are stored: the server cannot show them again. */
export function RecoveryCodes({ codes, onStored }: { codes: readonly string[]; onStored: () => void }) {
  const [stored, setStored] = useState(false);
  const text = `${codes.join("\n")}\n`;
  return (
    <div className={styles.codes} role="status">
      <Note tone="warn">Store these recovery codes now: they are shown only once. Each one replaces a code of the app once, for example if you lose the phone.</Note>
      <ul aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.row}>
        <CopyButton text={text} kind="plain" label="Copy all" />
        <a href={`data:text/plain;charset=utf-8,${encodeURIComponent(`Recovery codes of Plimsoll, ${window.location.host}\n${text}`)}`} download="plimsoll-recovery-codes.txt">
          Download as a file
        </a>
      </div>
      <label className={styles.check}>
        <input type="checkbox" checked={stored} onChange={(event) => setStored(event.target.checked)} />I stored them in a safe place
      </label>
      <Button kind="primary" disabled={!stored} onClick={onStored}>
        Done
      </Button>
    </div>
  );
}

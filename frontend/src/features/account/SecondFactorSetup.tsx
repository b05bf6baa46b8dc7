import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { beginSecondFactor, confirmSecondFactor } from "@/api/generated";
import { Button } from "@/components/Button";
import { CopyButton } from "@/components/CopyButton";
import { Failure } from "@/components/Status";
import { CodeForm } from "./CodeForm";
import styles from "./SecondFactor.module.css";

/** Shows a new secret as QR code and as text, and takes the first code of the app. */
export function SecondFactorSetup({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const [endOthers, setEndOthers] = useState(true);
  const begin = useMutation({ mutationFn: () => beginSecondFactor(), gcTime: 0 });
  const confirm = useMutation({
    mutationFn: (code: string) => confirmSecondFactor({ body: { code, end_other_sessions: endOthers } }),
    gcTime: 0,
    onSuccess: ({ recovery_codes }) => onCodes(recovery_codes),
  });
  if (!begin.data) {
    return (
      <div className={styles.stack}>
        <p>After the password, sign-in then asks for a code of an authenticator app on your phone, such as Aegis, FreeOTP or Google Authenticator.</p>
        <div>
          <Button kind="primary" busy={begin.isPending} onClick={() => begin.mutate()}>
            Set up a second factor
          </Button>
        </div>
        {begin.error && <Failure error={begin.error} />}
      </div>
    );
  }
  const { svg, secret } = begin.data;
  return (
    <div className={styles.setup}>
      <img src={`data:image/svg+xml,${encodeURIComponent(svg)}`} alt="QR code for an authenticator app; the key beside it says the same" />
      <div className={styles.steps}>
        <p>1. Scan the QR code with the app, or type this key:</p>
        <div className={styles.row}>
          <span className={styles.key} aria-label="Key" role="note">
            {secret.replace(/(.{4})(?=.)/g, "$1 ")}
          </span>
          <CopyButton text={secret} />
        </div>
        <p>2. Enter the code that the app shows.</p>
        <label className={styles.check}>
          <input type="checkbox" checked={endOthers} onChange={(event) => setEndOthers(event.target.checked)} />
          Sign out my other browsers
        </label>
        <CodeForm label="Code of the app" hint="Six digits; a new code comes every 30 seconds." action="Confirm" busy={confirm.isPending} error={confirm.error} onCode={(code) => confirm.mutate(code)} />
      </div>
    </div>
  );
}

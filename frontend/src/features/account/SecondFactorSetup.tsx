import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { beginSecondFactor, confirmSecondFactor } from "@/api/generated";
import { Button } from "@/components/Button";
import { CopyButton } from "@/components/CopyButton";
import { Failure } from "@/components/Status";
import { messages } from "@/messages";
import { CodeForm } from "./CodeForm";
import styles from "./SecondFactor.module.css";

const t = messages("account");

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
        <p>{t("setUpAbout")}</p>
        <div>
          <Button kind="primary" busy={begin.isPending} onClick={() => begin.mutate()}>
            {t("setUp")}
          </Button>
        </div>
        {begin.error && <Failure error={begin.error} />}
      </div>
    );
  }
  const { svg, secret } = begin.data;
  return (
    <div className={styles.setup}>
      <img src={`data:image/svg+xml,${encodeURIComponent(svg)}`} alt={t("qrCode")} />
      <div className={styles.steps}>
        <p>{t("scan")}</p>
        <div className={styles.row}>
          <span className={styles.key} aria-label={t("key")} role="note">
            {secret.replace(/(.{4})(?=.)/g, "$1 ")}
          </span>
          <CopyButton text={secret} />
        </div>
        <p>{t("enterCode")}</p>
        <label className={styles.check}>
          <input type="checkbox" checked={endOthers} onChange={(event) => setEndOthers(event.target.checked)} />
          {t("signOutOthers")}
        </label>
        <CodeForm label={t("appCode")} hint={t("appCodeHint")} action={t("confirm")} busy={confirm.isPending} error={confirm.error} onCode={(code) => confirm.mutate(code)} />
      </div>
    </div>
  );
}

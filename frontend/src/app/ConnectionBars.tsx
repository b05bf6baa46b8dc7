import { useEffect, useState, useSyncExternalStore } from "react";
import { connection, onConnectionChange } from "@/api/connection";
import { messages } from "@/messages";
import styles from "./Shell.module.css";

const t = messages("common");
/** How long the page says that the connection is back, in ms. */
const BACK_MS = 6000;

/** States that the connection is not encrypted, that it is lost, or that it is back. */
export function ConnectionBars() {
  const isLost = useSyncExternalStore(onConnectionChange, connection) === "lost";
  const isBack = useBack(isLost);
  return (
    <>
      {!isEncrypted() && (
        <div className={styles.alert} role="note" aria-label={t("connection")}>
          <span>
            <strong>{t("notEncrypted")}</strong> {t("notEncryptedText")}
          </span>
        </div>
      )}
      {isLost && (
        <div className={styles.alert} role="alert">
          <span>
            <strong>{t("connectionLost")}</strong> {t("connectionLostText")}
          </span>
        </div>
      )}
      <div role="status" className={isBack ? styles.back : undefined}>
        {isBack && <span>{t("connectionBack")}</span>}
      </div>
    </>
  );
}

/** Whether the connection came back a moment ago. */
function useBack(isLost: boolean): boolean {
  const [wasLost, setWasLost] = useState(isLost);
  const [isBack, setBack] = useState(false);
  if (wasLost !== isLost) {
    setWasLost(isLost);
    setBack(wasLost);
  }
  useEffect(() => {
    if (!isBack) return;
    const timer = setTimeout(() => setBack(false), BACK_MS);
    return () => clearTimeout(timer);
  }, [isBack]);
  return isBack && !isLost;
}

/** Whether the page came by https or from this machine. Browsers without this property count as encrypted. */
function isEncrypted(): boolean {
  return window.isSecureContext !== false;
}

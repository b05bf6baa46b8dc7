import { Link } from "react-router";
import { Button } from "@/components/Button";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import styles from "./LivePane.module.css";
import type { EndNoticeChoice } from "./useEndNotice";

const t = messages("runs");

/** Asks to be notified of the run's end; without notifications, what to use instead. */
export function EndNotice({ choice: { state, change } }: { choice: EndNoticeChoice }) {
  return (
    <div className={styles.notice} aria-live="polite">
      {state === "off" && <Button onClick={change}>{t("notifyMe")}</Button>}
      {state === "on" && (
        <p>
          {t("notified")}{" "}
          <button type="button" className={styles.undo} onClick={change}>
            {t("notNotified")}
          </button>
        </p>
      )}
      {state === "refused" && (
        <p>
          <RichText
            namespace="runs"
            id="notifyRefused"
            values={{}}
            parts={{ webhook: <Link to="/team/webhooks" /> }}
          />
        </p>
      )}
    </div>
  );
}

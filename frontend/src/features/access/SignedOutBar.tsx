import { useState } from "react";
import { Link } from "react-router";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import { PasswordForm } from "./PasswordForm";
import { ProviderLink } from "./Provider";
import styles from "./SignedOutBar.module.css";

const t = messages("access");

/** Says at the bottom of the window that the session has ended, and signs in again without leaving the page. */
export function SignedOutBar() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <div className={styles.bar} role="alert">
        <p>
          <strong>{t("signedOut")}</strong> {t("typedIsKept")}
        </p>
        <Button kind="primary" onClick={() => setOpen(true)}>
          {t("signInAgain")}
        </Button>
      </div>
      <Dialog title={t("signInAgain")} open={open} onClose={() => setOpen(false)} actions={<Button onClick={() => setOpen(false)}>{t("later")}</Button>}>
        <ProviderLink />
        <PasswordForm />
        <p>
          <RichText namespace="access" id="byLink" parts={{ signIn: <Link to="/sign-in" target="_blank" rel="noopener" /> }} />
        </p>
      </Dialog>
    </>
  );
}

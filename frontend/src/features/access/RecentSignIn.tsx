import { useEffect, useState } from "react";
import { Link } from "react-router";
import { onSignInNeeded } from "@/api/session";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import { PasswordForm } from "./PasswordForm";
import { ProviderLink } from "./Provider";

const t = messages("access");

/** Asks for a new sign-in when the server refused a change without one. The page stays as it is. */
export function RecentSignIn() {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  useEffect(() => onSignInNeeded(() => setOpen(true)), []);
  return (
    <Dialog
      title={t("signInAgain")}
      open={open}
      onClose={close}
      actions={<Button onClick={close}>{t("later")}</Button>}
    >
      <p>{t("needsRecent")}</p>
      <ProviderLink />
      <PasswordForm onSignedIn={close} />
      <p>
        <RichText
          namespace="access"
          id="byLink"
          parts={{ signIn: <Link to="/sign-in" target="_blank" rel="noopener" /> }}
        />
      </p>
    </Dialog>
  );
}

import { useState } from "react";
import { Link } from "react-router";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { PasswordForm } from "./PasswordForm";
import { ProviderLink } from "./Provider";
import styles from "./SignedOutBar.module.css";

/** Says at the bottom of the window that the session has ended, and signs in again without leaving the page. */
export function SignedOutBar() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <div className={styles.bar} role="alert">
        <p>
          <strong>You are signed out.</strong> What you typed is kept: sign in and go on.
        </p>
        <Button kind="primary" onClick={() => setOpen(true)}>
          Sign in again
        </Button>
      </div>
      <Dialog title="Sign in again" open={open} onClose={() => setOpen(false)} actions={<Button onClick={() => setOpen(false)}>Later</Button>}>
        <ProviderLink />
        <PasswordForm />
        <p>
          With a one-time link: <Link to="/sign-in" target="_blank" rel="noopener">sign in in another tab</Link>, then come back.
        </p>
      </Dialog>
    </>
  );
}

import { useTitle } from "@/components/useTitle";
import { PasswordForm } from "./PasswordForm";
import { ProviderFailure, ProviderLink } from "./Provider";
import { returnPath } from "./returnPath";
import styles from "./SignIn.module.css";

/** What to do without a session: sign in by password or by the identity provider, or get a one-time link. */
export function SignInHelp() {
  useTitle("Sign in");
  return (
    <section className={styles.page} aria-labelledby="sign-in">
      <h1 id="sign-in">Sign in</h1>
      <ProviderFailure />
      <p>{returnPath() === null ? "You are not signed in to this Plimsoll." : "Sign in again to go on."}</p>
      <ProviderLink />
      <PasswordForm />
      <h2>No password, or forgotten?</h2>
      <ul>
        <li>
          On the server, <code>scripts/up</code> prints a link that signs a browser in once. <code>.venv/bin/plimsoll admin link</code> prints another one.
        </li>
        <li>Somebody who runs this server for you can send you such a link. Then set a new password within 15 minutes, on the page of your account.</li>
      </ul>
    </section>
  );
}

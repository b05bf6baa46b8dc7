import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import { PasswordForm } from "./PasswordForm";
import { ProviderFailure, ProviderLink } from "./Provider";
import { returnPath } from "./returnPath";
import styles from "./SignIn.module.css";

const t = messages("access");

/** What to do without a session: sign in by password or by the identity provider, or get a one-time link. */
export function SignInHelp() {
  useTitle(t("signIn"));
  return (
    <section className={styles.page} aria-labelledby="sign-in">
      <h1 id="sign-in">{t("signIn")}</h1>
      <ProviderFailure />
      <p>{returnPath() === null ? t("notSignedIn") : t("signInToGoOn")}</p>
      <ProviderLink />
      <PasswordForm />
      <h2>{t("noPassword")}</h2>
      <ul>
        <li>
          <RichText namespace="access" id="helpServer" parts={{ code: <code /> }} />
        </li>
        <li>{t("helpPerson")}</li>
      </ul>
    </section>
  );
}

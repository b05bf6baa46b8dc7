import { Link } from "react-router";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import styles from "./SignIn.module.css";

const t = messages("access");

/** In place of the pages of a team, for an account that belongs to none. */
export function NoTeam({ name }: { name: string }) {
  useTitle(t("noTeam"));
  return (
    <section className={styles.page} aria-labelledby="no-team">
      <h1 id="no-team">{t("noTeamTitle")}</h1>
      <p>{t("noTeamText", { name })}</p>
      <p>
        <Link to="/account">{t("yourAccount")}</Link>
      </p>
    </section>
  );
}

import { Link } from "react-router";
import type { SessionTeam } from "@/api/generated";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import styles from "./SignIn.module.css";

const t = messages("access");

/** In place of every page of a team that requires a second factor, in a session that has proved none. */
export function SecondFactorNeeded({ team }: { team: SessionTeam }) {
  useTitle(t("secondFactorNeeded"));
  return (
    <section className={styles.page} aria-labelledby="second-factor-needed">
      <h1 id="second-factor-needed">{t("requiresSecondFactor", { team: team.name })}</h1>
      <p>
        <RichText namespace="access" id="notProved" parts={{ account: <Link to="/account" /> }} />
      </p>
    </section>
  );
}

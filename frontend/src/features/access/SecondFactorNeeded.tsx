import { Link } from "react-router";
import type { SessionTeam } from "@/api/generated";
import { useTitle } from "@/components/useTitle";
import styles from "./SignIn.module.css";

/** In place of every page of a team that requires a second factor, in a session that has proved none. */
export function SecondFactorNeeded({ team }: { team: SessionTeam }) {
  useTitle("Second factor needed");
  return (
    <section className={styles.page} aria-labelledby="second-factor-needed">
      <h1 id="second-factor-needed">{team.name} requires a second factor</h1>
      <p>
        This browser has not proved one. <Link to="/account">Set it up, or enter a code, in your account</Link>; then everything of the team is there again.
      </p>
    </section>
  );
}

import { Link } from "react-router";
import { useTitle } from "@/components/useTitle";
import styles from "./SignIn.module.css";

/** In place of the pages of a team, for an account that belongs to none. */
export function NoTeam({ name }: { name: string }) {
  useTitle("No team");
  return (
    <section className={styles.page} aria-labelledby="no-team">
      <h1 id="no-team">You belong to no team</h1>
      <p>You are signed in as {name}. Runs and results belong to teams: ask an administrator of yours for an invitation, and open its link in this browser.</p>
      <p>
        <Link to="/account">Your account</Link>
      </p>
    </section>
  );
}

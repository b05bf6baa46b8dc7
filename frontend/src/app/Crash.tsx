import { useRouteError } from "react-router";
import { Failure } from "@/components/Status";
import styles from "./Shell.module.css";

/** Shown in place of the page when its code failed or could not be loaded. */
export function Crash() {
  const error = useRouteError();
  return (
    <main className={styles.main}>
      <Failure error={error} retry={() => window.location.reload()} />
    </main>
  );
}

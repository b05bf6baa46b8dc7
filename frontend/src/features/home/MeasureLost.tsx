import type { HomeRun } from "@/api/generated";
import { Button } from "@/components/Button";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";
import styles from "./home.module.css";
import { useMeasureLost } from "./useMeasureLost";

const t = messages("home");

/** The button that measures lost trials again, where there are any and the account may do so. */
export function MeasureLost({ run }: { run: HomeRun }) {
  const mayWrite = useMay("write");
  const again = useMeasureLost(run.id);
  if (!mayWrite || run.origin !== "measured" || !run.lost_trials) return null;
  return (
    <>
      <Button busy={again.isPending} onClick={() => again.mutate()}>
        <span aria-hidden="true">{t("measureLost")}</span>
        <span className="visually-hidden">{t("measureLostOf", { title: run.title })}</span>
      </Button>
      {again.isError && (
        <span className={styles.refused} role="alert">
          <bdi>{again.error.message}</bdi>
        </span>
      )}
    </>
  );
}

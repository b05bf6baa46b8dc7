import { draftOf } from "@/api/draft";
import type { PlanPreview } from "@/api/generated";
import { formatDuration, formatMemory, formatNumber } from "@/components/format";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import styles from "./Plan.module.css";

const t = messages("experiments");

/** The size of a plan as a product, and what it takes. */
export function PlanSize({ answer: { plan, experiment, quality_rule: rule } }: { answer: PlanPreview }) {
  const { rounds } = draftOf(experiment);
  const infeasible = plan.cells.filter((cell) => cell.infeasible).length;
  const duplicates = plan.cells.filter((cell) => cell.is_duplicate && !cell.infeasible).length;
  const cells = plan.cells.length - infeasible - duplicates;
  const interim = plan.interim_rounds ?? [];
  const adaptive = interim.length > 0;
  return (
    <>
      <p className={styles.product}>
        <b>{t("cellCount", { count: cells })}</b>
        {duplicates > 0 && <span>{t("duplicateCount", { count: duplicates })}</span>}
        <i>×</i>
        <b>{adaptive ? t("roundRange", { low: formatNumber(rounds), count: Math.max(...interim) }) : t("roundCount", { count: rounds })}</b>
        <i>=</i>
        {adaptive && <span>{t("atMostTrials")}</span>}
        <b>{t("trialCount", { count: plan.estimate.trials })}</b>
      </p>
      {adaptive && <p className={styles.size}>{t("interimAfter", { rounds: interim.map((round) => formatNumber(round)).join(", ") })}</p>}
      <p className={styles.size}>
        <RichText namespace="experiments" id={adaptive ? "takesAtMost" : "takes"} values={{ time: formatDuration(plan.estimate.seconds) }} parts={{ b: <b /> }} />
        <span>{t("windows", { time: formatDuration(plan.estimate.window_seconds), count: plan.estimate.deployments })}</span>
        <ResourceNeeds estimate={plan.estimate} />
      </p>
      {plan.restart_reason && (
        <p className={styles.size}>
          {plan.restart_reason}
          {plan.estimate.restart_seconds ? <span>{t("restartsTake", { time: formatDuration(plan.estimate.restart_seconds) })}</span> : null}
        </p>
      )}
      {plan.estimate.noisy_seconds ? <p className={styles.size}>{t("noisyTakes", { time: formatDuration(plan.estimate.noisy_seconds) })}</p> : null}
      {plan.make_up ? (
        <p className={styles.size}>
          {t("makeUpTakes", {
            rounds: plan.make_up.rounds,
            time: formatDuration(plan.make_up.seconds),
          })}
        </p>
      ) : null}
      {rule && (
        <details className={styles.size}>
          <summary>{t("whenValid")}</summary>
          <p>{rule}</p>
        </details>
      )}
      {infeasible > 0 && <p className={styles.size}>{t("infeasibleCount", { count: infeasible })}</p>}
    </>
  );
}

/** The number of containers that run at the same time, and the memory that they need. */
function ResourceNeeds({ estimate: { containers, memory_bytes } }: { estimate: PlanPreview["plan"]["estimate"] }) {
  if (!containers) return null;
  return <span>{memory_bytes ? t("containersMemory", { count: containers, memory: formatMemory(memory_bytes) }) : t("containers", { count: containers })}</span>;
}

import type { PlanPreview } from "@/api/generated";
import { formatPercent } from "@/components/format";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import styles from "./PlanBar.module.css";
import { formatAbout, planFigures } from "./planFigures";

const t = messages("planBar");

interface Props {
  answer: PlanPreview | undefined;
  /** Whether it is the plan of an earlier version. */
  isEarlier: boolean;
  /** Whether there was no newer one. */
  isFailed: boolean;
}

/** "12 cells · 8 min (busy host: up to 20 min) · shows 12 % or more". */
export function PlanFacts({ answer, isEarlier, isFailed }: Props) {
  if (!answer) return <p className={styles.facts}>{isFailed ? t("none") : t("loading")}</p>;
  const { cells, infeasible, fastest, seconds, worst, smallestEffect } = planFigures(answer);
  const most = formatAbout(seconds);
  const b = { b: <b /> };
  return (
    <p className={styles.facts}>
      <span>
        <RichText namespace="planBar" id="cells" values={{ count: cells }} parts={b} />
        {infeasible > 0 && ` ${t("infeasible", { count: infeasible })}`}
      </span>
      <span>
        {fastest === null ? (
          <RichText namespace="planBar" id="time" values={{ time: most }} parts={b} />
        ) : (
          <RichText
            namespace="planBar"
            id="timeRange"
            values={{ low: formatAbout(fastest), high: most }}
            parts={b}
          />
        )}
        {worst !== null && ` ${t("worst", { time: formatAbout(worst) })}`}
      </span>
      <span title={t("showsAbout")}>
        {smallestEffect === null ? (
          t("showsNothing")
        ) : (
          <RichText
            namespace="planBar"
            id="shows"
            values={{ effect: formatPercent(smallestEffect) }}
            parts={b}
          />
        )}
      </span>
      {isEarlier && (
        <span className={styles.earlier}>{t(isFailed ? "earlierFailed" : "earlier")}</span>
      )}
    </p>
  );
}

import { Link } from "react-router";
import type { LibraryRun } from "@/api/generated";
import { historyHref } from "@/api/historyHref";
import { VerdictPicture } from "@/charts/VerdictPicture";
import { ButtonLink } from "@/components/Button";
import { Card } from "@/components/Card";
import { ExclusionBadge } from "@/components/ExclusionBadge";
import { RelativeTime } from "@/components/RelativeTime";
import { StarButton } from "@/components/StarButton";
import { StateBadge } from "@/components/State";
import { IMPORTED, RUN_STATES } from "@/components/stateLabels";
import { useNow } from "@/components/useNow";
import { VerdictLine } from "@/components/VerdictLine";
import { messages } from "@/messages";
import styles from "./RecentResults.module.css";

const t = messages("home");

/** The newest run of each experiment on each host, each with its verdict and a small picture. */
export function RecentResults({ runs }: { runs: readonly LibraryRun[] }) {
  const now = useNow();
  return (
    <Card title={t("recentTitle")} actions={<><ButtonLink to="/library" kind="ghost">{t("allRuns")}</ButtonLink>{runs.length > 1 && <ButtonLink to="/compare" kind="ghost">{t("compareRuns")}</ButtonLink>}</>}>
      {runs.length === 0 ? (
        <p className={styles.none}>{t("recentNone")}</p>
      ) : (
        <ul className={styles.runs}>
          {runs.map((run) => (
            <ResultLine key={run.id} run={run} now={now} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function ResultLine({ run, now }: { run: LibraryRun; now: number }) {
  return (
    <li className={styles.run}>
      <StarButton runId={run.id} title={run.title} />
      <div className={styles.text}>
        <Link to={`/runs/${run.id}`} className={styles.title}>
          {run.title}
        </Link>
        <span className={styles.meta}>
          <span>{run.host}</span>
          <RelativeTime value={run.finished_at ?? run.created_at} now={now} />
          {run.author && <span>{run.author}</span>}
          {run.origin === "measured" && <Link to={historyHref(run.experiment_id, run.host)} aria-label={t("historyOf", { title: run.title })}>{t("history")}</Link>}
          {run.state !== "done" && <StateBadge label={RUN_STATES[run.state]} />}
          {run.origin === "imported" && <StateBadge label={IMPORTED} />}
        </span>
        {run.verdict ? <VerdictLine verdict={run.verdict} /> : <p className={styles.none}>{run.verdict_due ? t("verdictDue") : t("verdictNone")}</p>}
        <ExclusionBadge exclusions={run.exclusions} />
      </div>
      {run.verdict && <VerdictPicture verdict={run.verdict} />}
    </li>
  );
}

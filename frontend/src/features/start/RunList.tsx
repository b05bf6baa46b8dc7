import { Link } from "react-router";
import { isTerminal } from "@/api/states";
import type { Preset, Run } from "@/api/generated";
import { Button, ButtonLink } from "@/components/Button";
import { Card } from "@/components/Card";
import { formatAgo, formatDuration } from "@/components/format";
import { Progress } from "@/components/Progress";
import { StateBadge } from "@/components/State";
import { RUN_STATES } from "@/components/stateLabels";
import { Empty, QueryStatus } from "@/components/Status";
import { useNow } from "@/components/useNow";
import styles from "./RunList.module.css";
import type { useRuns } from "./useRuns";

/** The runs, newest first, or a link to start the first one. */
export function RunList({ runs, first }: { runs: ReturnType<typeof useRuns>; first: Preset | undefined }) {
  const all = runs.runs ?? [];
  const now = useNow();
  return (
    <Card title="Recent runs" actions={all.length > 1 ? <ButtonLink to="/compare" kind="ghost">Compare two runs</ButtonLink> : undefined}>
      <QueryStatus query={runs} label="Loading the runs" />
      {runs.data && all.length === 0 && (
        <Empty title="No runs yet">
          <p>A run of a few minutes measures what docker-proxy costs on this host. You see the plan before it starts.</p>
          {first && (
            <ButtonLink kind="primary" to={`/new?preset=${encodeURIComponent(first.name)}`}>
              {first.form === "quick" ? "Start with the quick form" : "Start with the study"}
            </ButtonLink>
          )}
        </Empty>
      )}
      <ul className={styles.runs}>
        {all.map((run) => (
          <RunLine key={run.id} run={run} now={now} />
        ))}
      </ul>
      {runs.hasNextPage && (
        <Button kind="ghost" busy={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
          Older runs
        </Button>
      )}
    </Card>
  );
}

function RunLine({ run, now }: { run: Run; now: number }) {
  const { done, failed, skipped, total, eta_s } = run.progress;
  const active = !isTerminal(run.state);
  return (
    <li className={styles.run}>
      <Link to={`/runs/${run.id}`} className={styles.link}>
        <span className={styles.title}>{run.title}</span>
        <span className={styles.meta}>
          {run.origin === "imported" && "imported · "}on {run.host} · {formatAgo(run.created_at, Math.max(now, Date.parse(run.created_at)))}
        </span>
      </Link>
      <span className={styles.progress}>
        {active && <Progress done={done + skipped} failed={failed} total={total} label="Trials done" />}
        <span>
          {done + failed} of {total} trials{failed > 0 && `, ${failed} failed`}
          {skipped > 0 && `, ${skipped} skipped`}
          {active && eta_s !== null && ` · ${formatDuration(eta_s)} left`}
        </span>
      </span>
      <StateBadge label={RUN_STATES[run.state]} />
    </li>
  );
}

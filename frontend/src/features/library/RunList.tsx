import { Link } from "react-router";
import { isTerminal } from "@/api/states";
import type { Preset, Run } from "@/api/generated";
import type { RunFilter } from "@/api/queries";
import { Button, ButtonLink } from "@/components/Button";
import { Card } from "@/components/Card";
import { formatAgo, formatDuration } from "@/components/format";
import { Progress } from "@/components/Progress";
import { StarButton } from "@/components/StarButton";
import { StateBadge } from "@/components/State";
import { RUN_STATES } from "@/components/stateLabels";
import { Empty, QueryStatus } from "@/components/Status";
import { useMay } from "@/components/useMay";
import { useNow } from "@/components/useNow";
import { RunFilterBar } from "./RunFilterBar";
import styles from "./RunList.module.css";
import type { useRuns } from "./useRuns";

interface Props {
  runs: ReturnType<typeof useRuns>;
  /** The preset for the first run. */
  first: Preset | undefined;
  filter: RunFilter;
  onFilter: (next: RunFilter) => void;
}

/** The runs, newest first, with their filter, or a link to start the first one. */
export function RunList({ runs, first, filter, onFilter }: Props) {
  const all = runs.runs ?? [];
  const now = useNow();
  const mayStart = useMay("write");
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Card title="Recent runs" actions={all.length > 1 ? <><ButtonLink to="/run-groups" kind="ghost">Several hosts</ButtonLink><ButtonLink to="/compare" kind="ghost">Compare two runs</ButtonLink></> : undefined}>
      {(isFiltered || all.length > 0) && <RunFilterBar filter={filter} onFilter={onFilter} tags={[...new Set(all.flatMap(({ tags }) => tags ?? []))].sort()} />}
      <QueryStatus query={runs} label="Loading the runs" />
      {runs.data && all.length === 0 && isFiltered && (
        <Empty title="No run matches">
          <Button onClick={() => onFilter({})}>Show all runs</Button>
        </Empty>
      )}
      {runs.data && all.length === 0 && !isFiltered && (
        <Empty title="No runs yet">
          <p>{mayStart ? "A run of a few minutes measures what docker-proxy costs on this host. You see the plan before it starts." : "Runs appear here when a member of the team with the role runner has started one. You can plan one."}</p>
          {first && (
            <ButtonLink kind="primary" to={`/new?preset=${encodeURIComponent(first.name)}`}>
              {!mayStart ? "See a plan" : first.form === "quick" ? "Start with the quick form" : "Start with the study"}
            </ButtonLink>
          )}
        </Empty>
      )}
      <ul className={styles.runs}>
        {all.map((run) => (
          <RunLine key={run.id} run={run} now={now} onTag={(tag) => onFilter({ ...filter, tag })} />
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

function RunLine({ run, now, onTag }: { run: Run; now: number; onTag: (tag: string) => void }) {
  const { done, failed, skipped, total, eta_s } = run.progress;
  const active = !isTerminal(run.state);
  return (
    <li className={styles.run}>
      <StarButton runId={run.id} title={run.title} />
      <div className={styles.names}>
        <Link to={`/runs/${run.id}`} className={styles.link}>
          <span className={styles.title}>{run.title}</span>
          <span className={styles.meta}>
            {run.origin === "imported" && "imported · "}on {run.host} · {formatAgo(run.created_at, Math.max(now, Date.parse(run.created_at)))}
          </span>
        </Link>
        {run.tags && run.tags.length > 0 && (
          <span className={styles.tags} role="group" aria-label={`Tags of ${run.title}`}>
            {run.tags.map((tag) => (
              <button key={tag} type="button" onClick={() => onTag(tag)} title={`Runs with the tag ${tag}`}>
                {tag}
              </button>
            ))}
          </span>
        )}
      </div>
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

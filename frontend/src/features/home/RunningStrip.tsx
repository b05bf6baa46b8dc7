import { Link } from "react-router";
import { hostHref } from "@/api/capabilities";
import type { ActiveRun, Home, HomeHost } from "@/api/generated";
import { formatDuration, formatNumber, formatZonedTime } from "@/components/format";
import { Progress } from "@/components/Progress";
import { State } from "@/components/State";
import { hostState, RUN_STATES } from "@/components/stateLabels";
import { messages } from "@/messages";
import { firstRuns, othersTrials } from "./activity";
import styles from "./RunningStrip.module.css";

const t = messages("home");
const SHOWN = 3;

/** What runs and waits now, one line a run, and the state of the chosen host. */
export function RunningStrip({ home }: { home: Home }) {
  const runs = firstRuns(home.active, SHOWN);
  const more = (home.open_runs ?? runs.length) - runs.length;
  const host = home.hosts.find(({ name }) => name === home.host);
  return (
    <section className={styles.strip} aria-labelledby="running">
      <div className={styles.head}>
        <h2 id="running">{t("running")}</h2>
        {runs.length === 0 && <p className={styles.quiet}>{t("nothingRuns")}</p>}
        {more > 0 && (
          <Link to="/library?q=is:active">
            {t("moreRuns", { count: more, n: formatNumber(more) })}
          </Link>
        )}
        <HostLine home={home} host={host} />
      </div>
      {runs.length > 0 && (
        <ol className={styles.runs}>
          {runs.map((run) => (
            <RunLine key={run.id} run={run} />
          ))}
        </ol>
      )}
    </section>
  );
}

function RunLine({ run }: { run: ActiveRun }) {
  const { done, failed, skipped, total, eta_s } = run.progress;
  const runs = run.state === "running";
  const label = t("trialsOf", { done: done + failed + skipped, total });
  return (
    <li className={styles.run}>
      <State label={RUN_STATES[run.state]} glyphOnly />
      <Link to={`/runs/${run.id}`} className={styles.title} title={run.title}>
        {run.title}
      </Link>
      <span className={styles.bar}>
        {runs ? (
          <Progress done={done + skipped} failed={failed} total={total} label={label} />
        ) : (
          <span className={styles.quiet}>{t("waits")}</span>
        )}
      </span>
      <span className={styles.left}>
        {eta_s === null ? "" : t(runs ? "timeLeft" : "takes", { duration: formatDuration(eta_s) })}
      </span>
      <span className={styles.who}>
        <bdi>{run.host}</bdi>
        {run.author && (
          <>
            {" · "}
            <bdi>{run.author}</bdi>
          </>
        )}
      </span>
    </li>
  );
}

/** Whether the chosen host takes runs, and what others do there. */
function HostLine({ home, host }: { home: Home; host: HomeHost | undefined }) {
  if (!host) return <p className={styles.quiet}>{t("noHost")}</p>;
  const others = othersTrials(host, home.active);
  const isAway = !host.online && host.access !== "revoked";
  return (
    <p className={styles.host}>
      <Link to={hostHref(host.name)}>{host.name}</Link> <State label={hostState(host)} />
      {isAway && <span> {t("hostOffline", { time: formatZonedTime(host.last_seen_at) })}</span>}
      {host.drained && <span> {t("hostDrained")}</span>}
      {others > 0 && <span> {t("hostOthers", { count: others })}</span>}
    </p>
  );
}

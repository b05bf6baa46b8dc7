import { Link } from "react-router";
import { hostHref } from "@/api/capabilities";
import type { Home, HomeHost, Run } from "@/api/generated";
import { Card } from "@/components/Card";
import { formatDuration, formatZonedTime } from "@/components/format";
import { Progress } from "@/components/Progress";
import { StateBadge } from "@/components/State";
import { hostState, RUN_STATES } from "@/components/stateLabels";
import { messages } from "@/messages";
import styles from "./Activity.module.css";
import { byHost, othersTrials, waitOf } from "./activity";

const t = messages("home");

/** The hosts with what runs and waits there, and the time that is left. */
export function Activity({ home }: { home: Home }) {
  const lists = byHost(home.active);
  const elsewhere = home.active.filter(({ host }) => !home.hosts.some(({ name }) => name === host));
  return (
    <Card title={t("activityTitle")}>
      {home.hosts.length === 0 && <p className={styles.quiet}>{t("noHost")}</p>}
      <ul className={styles.hosts}>
        {home.hosts.map((host) => (
          <HostActivity key={host.name} host={host} runs={lists.get(host.name) ?? []} />
        ))}
      </ul>
      {elsewhere.length > 0 && <RunLines runs={elsewhere} />}
    </Card>
  );
}

function HostActivity({ host, runs }: { host: HomeHost; runs: readonly Run[] }) {
  const others = othersTrials(host, runs);
  return (
    <li className={styles.host}>
      <div className={styles.head}>
        <Link className={styles.name} to={hostHref(host.name)}>
          {host.name}
        </Link>
        <StateBadge label={hostState(host)} />
      </div>
      {!host.online && host.access !== "revoked" && <p className={styles.quiet}>{t("hostOffline", { time: formatZonedTime(host.last_seen_at) })}</p>}
      {host.drained && <p className={styles.quiet}>{t("hostDrained")}</p>}
      {runs.length > 0 ? <RunLines runs={runs} /> : others === 0 && <p className={styles.quiet}>{t("hostIdle")}</p>}
      {others > 0 && <p className={styles.quiet}>{t("hostOthers", { count: others })}</p>}
    </li>
  );
}

function RunLines({ runs }: { runs: readonly Run[] }) {
  return (
    <ol className={styles.runs}>
      {runs.map((run, index) => (
        <RunLine key={run.id} run={run} wait={waitOf(runs, index)} />
      ))}
    </ol>
  );
}

function RunLine({ run, wait }: { run: Run; wait: number | null }) {
  const { done, failed, skipped, total, eta_s } = run.progress;
  return (
    <li className={styles.run}>
      <Link to={`/runs/${run.id}`}>{run.title}</Link>
      <span className={styles.state}>
        <StateBadge label={RUN_STATES[run.state]} />
        <span className={styles.quiet}>
          {run.state === "queued" ? (wait === null ? t("waits") : t("waitsFor", { wait: formatDuration(wait), duration: formatDuration(eta_s) })) : t("timeLeft", { duration: formatDuration(eta_s) })}
        </span>
      </span>
      {run.state === "running" && <Progress done={done + skipped} failed={failed} total={total} label={t("trialsOf", { done: done + failed + skipped, total })} />}
    </li>
  );
}

import type { ChartModel, Run, Trial } from "@/api/generated";
import { Sparkline } from "@/charts/Sparkline";
import { Card } from "@/components/Card";
import { formatDuration, formatNumber } from "@/components/format";
import { Progress } from "@/components/Progress";
import { rateOf } from "@/components/rates";
import { useWidth } from "@/components/useWidth";
import { roleColor } from "@/theme/palette";
import { HostNote } from "./HostNote";
import styles from "./LivePane.module.css";
import type { Live, LiveCores } from "./patch";
import { TrialFeed } from "./TrialFeed";
import { useCountdown } from "./useCountdown";

interface Props {
  run: Run;
  live: Live | null;
  trials: readonly Trial[] | undefined;
  model: ChartModel | undefined;
}

/** A run in progress: the current trial with live figures, and the trials so far. */
export function LivePane({ run, live, trials, model }: Props) {
  const { done, failed, skipped, total, eta_s } = run.progress;
  const left = useCountdown(eta_s);
  return (
    <div className={styles.live}>
      <Card>
        <div className={styles.head}>
          <p className={styles.count}>
            <b>{formatNumber(done + failed)}</b> of {formatNumber(total)} trials{failed > 0 && <span className={styles.failed}>, {failed} failed</span>}
            {skipped > 0 && <span className={styles.left}>, {skipped} skipped</span>}
          </p>
          <p className={styles.left}>{left === null ? "" : left > 0 ? `about ${formatDuration(left)} left` : "nearly done"}</p>
        </div>
        <Progress done={done + skipped} failed={failed} total={total} label="Trials done" />
        <HostNote run={run} />
        <CurrentFigures run={run} live={live} trials={trials} model={model} />
      </Card>
      <Card title="Trials" note="Newest first" flush>
        <TrialFeed runId={run.id} trials={trials} model={model} />
      </Card>
    </div>
  );
}

/** Returns the unit of each trial's rate, from its cell. */
function unitsOf(trials: readonly Trial[] | undefined, model: ChartModel | undefined): Map<string, string> {
  const cells = new Map(model?.cells.map((cell) => [cell.id, rateOf(cell.levels).unit]));
  return new Map(trials?.map((trial) => [trial.id, cells.get(trial.cell_id) ?? ""]));
}

function CurrentFigures({ run, live, trials, model }: Props) {
  const [ref, width] = useWidth(250);
  if (run.state === "queued") return <p className={styles.waiting}>Queued: {run.host} runs one trial at a time.</p>;
  const cores = model?.cores ?? null;
  const last = live?.points.at(-1);
  const rate = rateOf(model?.cells.find((cell) => cell.id === (live?.cellId ?? run.current?.cell_id))?.levels);
  const now = last ? formatNumber(last.rate, rate.decimals) : null;
  // Rates in different units cannot share a line.
  const units = unitsOf(trials, model);
  const sameUnit = (live?.points ?? []).filter((point) => point.trialId === live?.trialId || units.get(point.trialId) === rate.unit);
  // Between trials, the last figures of the previous one are shown in grey.
  const old = live?.trialId !== run.current?.trial_id || undefined;
  return (
    <div className={styles.now}>
      {run.current ? (
        <p className={styles.cell}>
          <span className={styles.dot} aria-hidden="true" />
          <b>{run.current.label}</b> <span>round {run.current.round}</span>
        </p>
      ) : (
        <p className={styles.cell}>Preparing the next trial…</p>
      )}
      <div className={styles.figures} data-old={old}>
        <div ref={ref}>
          <p className={styles.name}>
            {rate.label}
            {rate.unit === "1/s" ? "" : ` (${rate.unit})`}
          </p>
          <p className={styles.value}>{now ?? "…"}</p>
          <Sparkline
            values={sameUnit.map((point) => ({ group: point.trialId, value: point.rate }))}
            width={width}
            height={64}
            label={now ? `Live ${rate.label}, now ${now} ${rate.unit}` : "No live figure yet"}
          />
        </div>
        <div>
          <p className={styles.name}>CPU by role, cores{cores === null ? "" : ` of ${cores}`}</p>
          <Roles cores={live?.cores ?? null} most={cores} />
        </div>
      </div>
    </div>
  );
}

const LIVE_ROLES = ["client", "server", "proxy", "other"] as const;

function Roles({ cores, most }: { cores: LiveCores | null; most: number | null }) {
  const scale = most ?? Math.max(1, ...LIVE_ROLES.map((role) => cores?.[role] ?? 0));
  return (
    <ul className={styles.roles}>
      {LIVE_ROLES.map((role) => (
        <li key={role}>
          <span>{role}</span>
          <span className={styles.track}>
            <span style={{ width: `${Math.min(100, (100 * (cores?.[role] ?? 0)) / scale)}%`, background: roleColor(role) }} />
          </span>
          <span className={styles.cores}>{formatNumber(cores?.[role], 2)}</span>
        </li>
      ))}
    </ul>
  );
}

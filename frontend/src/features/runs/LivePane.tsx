import type { ChartModel, PhaseEvent, Run, TrialEvent } from "@/api/generated";
import { Card } from "@/components/Card";
import { formatDuration, formatNumber } from "@/components/format";
import { Progress } from "@/components/Progress";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import { CurrentFigures } from "./CurrentFigures";
import { HostNote } from "./HostNote";
import styles from "./LivePane.module.css";
import type { MatrixStore } from "./matrixStore";
import type { Live } from "./patch";
import { RecentTrials } from "./RecentTrials";
import { useCountdown } from "./useCountdown";

const t = messages("runs");

interface Props {
  run: Run;
  live: Live | null;
  phase: PhaseEvent | null;
  recent: readonly TrialEvent[];
  store: MatrixStore;
  model: ChartModel | undefined;
}

const waits = messages("waits");

/** A run in progress: the current trial with live figures, and the newest trials. */
export function LivePane({ run, live, phase, recent, store, model }: Props) {
  const { done, failed, skipped, total, eta_s, made_up: madeUp = 0 } = run.progress;
  const left = useCountdown(eta_s);
  return (
    <div className={styles.live}>
      <Card>
        <div className={styles.head}>
          <p className={styles.count}>
            <RichText namespace="runs" id="trialsDone" values={{ count: total, ended: formatNumber(done + failed), total: formatNumber(total) }} parts={{ b: <b /> }} />
            {failed > 0 && <span className={styles.failed}> · {t("trialsFailed", { count: failed })}</span>}
            {skipped > 0 && <span className={styles.left}> · {t("trialsSkipped", { count: skipped })}</span>}
          </p>
          <p className={styles.left}>{left === null ? "" : left > 0 ? t("timeLeft", { time: formatDuration(left) }) : t("nearlyDone")}</p>
        </div>
        <Progress done={done + skipped} failed={failed} total={total} label={t("progressLabel")} />
        {madeUp > 0 && <p className={styles.left}>{waits("makeUpFollows", { count: madeUp })}</p>}
        <HostNote run={run} />
        <CurrentFigures run={run} live={live} phase={phase} store={store} cores={model?.cores ?? null} />
      </Card>
      <Card title={t("recentTitle")} note={t("recentNote")} flush>
        <RecentTrials runId={run.id} recent={recent} store={store} />
      </Card>
    </div>
  );
}

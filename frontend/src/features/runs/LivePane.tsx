import type { ChartModel, PhaseEvent, Run } from "@/api/generated";
import { formatDuration, formatNumber } from "@/components/format";
import { Progress } from "@/components/Progress";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import { CurrentFigures } from "./CurrentFigures";
import { EndNotice } from "./EndNotice";
import { HostNote } from "./HostNote";
import styles from "./LivePane.module.css";
import type { MatrixStore } from "./matrixStore";
import type { Live } from "./patch";
import type { EndNoticeChoice } from "./useEndNotice";
import { useCountdown } from "./useCountdown";

const t = messages("runs");
const waits = messages("waits");

interface Props {
  run: Run;
  live: Live | null;
  phase: PhaseEvent | null;
  store: MatrixStore;
  model: ChartModel | undefined;
  notice: EndNoticeChoice;
}

/** A run in progress in one line: what is measured now, how long it still takes, its end. */
export function LivePane({ run, live, phase, store, model, notice }: Props) {
  const { done, failed, skipped, total } = run.progress;
  return (
    <section className={styles.live} aria-label={t("liveTitle")} data-page-live>
      <div className={styles.line}>
        <CurrentFigures {...{ run, live, phase, store }} cores={model?.cores ?? null} />
        <Ahead run={run} />
        <EndNotice choice={notice} />
      </div>
      <Progress
        done={done + skipped}
        failed={failed}
        total={total}
        label={t("progressLabel")}
      />
      <HostNote run={run} />
    </section>
  );
}

/** The trials that ended, and the time that the others take. */
function Ahead({ run }: { run: Run }) {
  const { done, failed, skipped, total, eta_s, made_up: madeUp = 0 } = run.progress;
  const left = useCountdown(eta_s);
  return (
    <p className={styles.ahead}>
      <span className={styles.count}>
        <RichText
          namespace="runs"
          id="trialsDone"
          values={{
            count: total,
            ended: formatNumber(done + failed),
            total: formatNumber(total),
          }}
          parts={{ b: <b /> }}
        />
      </span>
      {failed > 0 && (
        <span className={styles.failed}>{t("trialsFailed", { count: failed })}</span>
      )}
      {skipped > 0 && <span>{t("trialsSkipped", { count: skipped })}</span>}
      {madeUp > 0 && (
        <span title={waits("makeUpFollows", { count: madeUp })}>
          {t("trialsMadeUp", { count: madeUp })}
        </span>
      )}
      {left !== null && (
        <span className={styles.left}>
          {left > 0 ? t("timeLeft", { time: formatDuration(left) }) : t("nearlyDone")}
        </span>
      )}
    </p>
  );
}

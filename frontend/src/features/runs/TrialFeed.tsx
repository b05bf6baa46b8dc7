import { memo, useMemo } from "react";
import { Link } from "react-router";
import type { ChartModel, Trial } from "@/api/generated";
import { formatNumber } from "@/components/format";
import { formatRate } from "@/components/rates";
import { State } from "@/components/State";
import { TRIAL_STATES } from "@/components/stateLabels";
import { Loading } from "@/components/Status";
import { trialHref } from "./links";
import styles from "./TrialFeed.module.css";

interface Props {
  runId: string;
  trials: readonly Trial[] | undefined;
  model: ChartModel | undefined;
}

/** More rows than this are slow to draw; the pages of the cells list all trials. */
const MOST = 200;

/** Whether the trial was started: not if it was skipped, or cancelled before. */
function isStarted({ state, started_at }: Trial): boolean {
  return state === "running" || state === "done" || state === "failed" || (state === "cancelled" && started_at !== null);
}

/** The started trials, newest first. Memoised: live figures do not render it again. */
export const TrialFeed = memo(function TrialFeed({ runId, trials, model }: Props) {
  const labels = useMemo(() => new Map(model?.cells.map(({ id, label }) => [id, label])), [model]);
  if (!trials)
    return (
      <div className={styles.none}>
        <Loading label="Loading the trials" rows={3} />
      </div>
    );
  const started = trials.filter(isStarted).sort((a, b) => b.seq - a.seq);
  if (started.length === 0) return <p className={styles.none}>The first trial appears here when it starts.</p>;
  return (
    <>
      <ol className={styles.feed} aria-label="Trials, newest first" tabIndex={0}>
        {started.slice(0, MOST).map((trial) => (
          <Row key={trial.id} runId={runId} trial={trial} label={labels.get(trial.cell_id) ?? trial.cell_id} />
        ))}
      </ol>
      {started.length > MOST && (
        <p className={styles.more}>
          The newest {formatNumber(MOST)} of {formatNumber(started.length)} started trials.
        </p>
      )}
    </>
  );
});

const Row = memo(function Row({ runId, trial, label }: { runId: string; trial: Trial; label: string }) {
  return (
    <li>
      <State label={TRIAL_STATES[trial.state]} glyphOnly />
      <Link to={trialHref(runId, trial.id)}>{label}</Link>
      <span className={styles.round}>round {trial.round}</span>
      <span className={styles.rate}>{formatRate(trial.metrics, formatNumber) ?? trial.failure_code ?? TRIAL_STATES[trial.state].word}</span>
    </li>
  );
});

import { Link } from "react-router";
import type { ChartModel } from "@/api/chart";
import type { Trial } from "@/api/types";
import { formatNumber } from "@/components/format";
import { formatRate } from "@/components/rates";
import { State } from "@/components/State";
import { TRIAL_STATES } from "@/components/states";
import { Loading } from "@/components/Status";
import { trialHref } from "./links";
import styles from "./TrialFeed.module.css";

interface Props {
  runId: string;
  trials: readonly Trial[] | undefined;
  model: ChartModel | undefined;
}

/** The trials that began, newest first. */
export function TrialFeed({ runId, trials, model }: Props) {
  if (!trials)
    return (
      <div className={styles.none}>
        <Loading label="Loading the trials" rows={3} />
      </div>
    );
  const begun = trials.filter((trial) => trial.state !== "queued").sort((a, b) => b.seq - a.seq);
  if (begun.length === 0) return <p className={styles.none}>The first trial appears here when it begins.</p>;
  const label = (id: string) => model?.cells.find((cell) => cell.id === id)?.label ?? id;
  return (
    <ol className={styles.feed} aria-label="Trials, newest first" tabIndex={0}>
      {begun.map((trial) => (
        <li key={trial.id}>
          <State told={TRIAL_STATES[trial.state]} glyphOnly />
          <Link to={trialHref(runId, trial.id)}>{label(trial.cell_id)}</Link>
          <span className={styles.round}>round {trial.round}</span>
          <span className={styles.rate}>
            {formatRate(trial.metrics, formatNumber) ?? trial.failure_code ?? TRIAL_STATES[trial.state].word}
          </span>
        </li>
      ))}
    </ol>
  );
}

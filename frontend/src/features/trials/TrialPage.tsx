import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { trialRawUrl } from "@/api/exports";
import { queries } from "@/api/queries";
import { isOpen } from "@/api/states";
import type { TrialDetail } from "@/api/generated";
import type { TrialState } from "@/api/types";
import { formatDuration, formatTime, plural } from "@/components/format";
import { PageHead } from "@/components/PageHead";
import { PageStatus } from "@/components/PageStatus";
import { rateOfTrial } from "@/components/rates";
import { StateBadge } from "@/components/State";
import { EVIDENCE, TRIAL_STATES } from "@/components/stateLabels";
import { Note } from "@/components/Status";
import { useTitle } from "@/components/useTitle";
import { ImportedView } from "./ImportedView";
import { ExcludedNote, ManualExclusion } from "./ManualExclusion";
import { RecordView } from "./RecordView";
import { History } from "./History";
import styles from "./TrialPage.module.css";

const REFRESH_MS = 3000;

/** The page of a trial: record and attempts. */
export function TrialPage() {
  const { runId = "", trialId = "" } = useParams();
  const trial = useQuery({
    ...queries.trial(trialId),
    refetchInterval: (query) => (query.state.data && isOpen(query.state.data.state) ? REFRESH_MS : false),
  });
  const title = trial.data ? `Round ${trial.data.round}, ${trial.data.cell_label}` : "Trial";
  useTitle(title);
  const crumbs = [
    { label: "Start", to: "/" },
    { label: trial.data?.run_title ?? "Run", to: `/runs/${runId}` },
    ...(trial.data ? [{ label: trial.data.cell_label, to: `/runs/${runId}/cells/${encodeURIComponent(trial.data.cell_id)}` }, { label: `Round ${trial.data.round}` }] : []),
  ];
  if (!trial.data) return <PageStatus query={trial} crumbs={crumbs} title="Trial" label="Loading the trial" />;
  return (
    <>
      <PageHead crumbs={crumbs} title={title} meta={<Meta trial={trial.data} />} actions={<Download trial={trial.data} />} />
      {trial.data.failure_code && (
        <Note tone="bad">
          <strong>Failed: {trial.data.failure_code}.</strong> {trial.data.failure_detail}
        </Note>
      )}
      {trial.data.excluded && <ExcludedNote reason={trial.data.excluded} />}
      <Recorded trial={trial.data} />
      <ManualExclusion trial={trial.data} />
      <History attempts={trial.data.history} />
    </>
  );
}

function Recorded({ trial }: { trial: TrialDetail }) {
  const { record, imported, cell_levels: levels } = trial;
  if (imported) return <ImportedView record={imported} rate={rateOfTrial(imported.metrics, levels)} />;
  if (!record) return <NoRecord trial={trial} />;
  return <RecordView record={record} trialId={trial.id} rate={rateOfTrial(record.metrics, levels)} />;
}

function Meta({ trial }: { trial: TrialDetail }) {
  const window = trial.record?.window;
  return (
    <>
      <StateBadge label={TRIAL_STATES[trial.state]} />
      {trial.evidence_verdict && <StateBadge label={EVIDENCE[trial.evidence_verdict]}>path {EVIDENCE[trial.evidence_verdict].word}</StateBadge>}
      <span>
        trial {trial.seq}, position {trial.position} in its round
      </span>
      {window ? <span>{formatTime(window.started_at)}</span> : trial.started_at && <span>{formatTime(trial.started_at)}</span>}
      {window && <span>measured for {formatDuration(window.seconds)}</span>}
      <span>{plural(trial.attempts, "attempt")}</span>
      <code>{trial.id}</code>
    </>
  );
}

function Download({ trial }: { trial: TrialDetail }) {
  if (!trial.record && !trial.imported) return null;
  return (
    <a className={styles.download} href={trialRawUrl(trial.id)} download={`${trial.id}.txt`}>
      Download raw output
    </a>
  );
}

function NoRecord({ trial }: { trial: TrialDetail }) {
  const texts: Record<TrialState, string> = {
    queued: "This trial has not started. Its figures appear here once it is recorded.",
    running: "This trial is running. Its figures appear here once it is recorded.",
    done: "This trial has no record.",
    failed: "This trial failed before it could be recorded; its attempts are listed below.",
    cancelled: "This trial was cancelled before it was recorded.",
    spared: "This trial was skipped: its comparison was decided at an earlier interim analysis, or the time budget was used up.",
  };
  return <Note tone={trial.state === "failed" ? "warn" : "info"}>{texts[trial.state]}</Note>;
}

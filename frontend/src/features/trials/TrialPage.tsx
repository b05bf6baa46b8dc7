import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { trialRawUrl } from "@/api/exports";
import { queries } from "@/api/queries";
import { isOpen } from "@/api/states";
import type { TrialDetail } from "@/api/generated";
import type { TrialState } from "@/api/types";
import { formatDuration, formatZonedTime } from "@/components/format";
import { PageHead } from "@/components/PageHead";
import { PageStatus } from "@/components/PageStatus";
import { rateOfTrial } from "@/components/rates";
import { useEscapeUp } from "@/components/shortcuts";
import { StateBadge } from "@/components/State";
import { EVIDENCE, TRIAL_STATES } from "@/components/stateLabels";
import { Note } from "@/components/Status";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import { ImportedView } from "./ImportedView";
import { ExcludedNote, ManualExclusion } from "./ManualExclusion";
import { RecordView } from "./RecordView";
import { History } from "./History";
import styles from "./TrialPage.module.css";

const t = messages("trials");

const REFRESH_MS = 3000;

/** The page of a trial: record and attempts. */
export function TrialPage() {
  const { runId = "", trialId = "" } = useParams();
  const trial = useQuery({
    ...queries.trial(trialId),
    refetchInterval: (query) => (query.state.data && isOpen(query.state.data.state) ? REFRESH_MS : false),
  });
  const title = trial.data ? t("trialTitle", { round: trial.data.round, cell: trial.data.cell_label }) : t("trial");
  useTitle(title);
  useEscapeUp(t("upToCell"));
  const crumbs = [
    { label: t("start"), to: "/" },
    { label: trial.data?.run_title ?? t("run"), to: `/runs/${runId}` },
    ...(trial.data ? [{ label: trial.data.cell_label, to: `/runs/${runId}/cells/${encodeURIComponent(trial.data.cell_id)}` }, { label: t("round", { round: trial.data.round }) }] : []),
  ];
  if (!trial.data) return <PageStatus query={trial} crumbs={crumbs} title={t("trial")} label={t("loading")} />;
  return (
    <>
      <PageHead crumbs={crumbs} title={title} meta={<Meta trial={trial.data} />} actions={<Download trial={trial.data} />} />
      {trial.data.failure_code && (
        <Note tone="bad">
          <RichText namespace="trials" id="failed" values={{ code: trial.data.failure_code, detail: trial.data.failure_detail ?? "" }} parts={{ strong: <strong /> }} />
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
      {trial.evidence_verdict && <StateBadge label={EVIDENCE[trial.evidence_verdict]}>{t("pathVerdict", { verdict: EVIDENCE[trial.evidence_verdict].word })}</StateBadge>}
      <span>
        {t("position", { seq: trial.seq, position: trial.position })}
      </span>
      {window ? <span>{formatZonedTime(window.started_at)}</span> : trial.started_at && <span>{formatZonedTime(trial.started_at)}</span>}
      {window && <span>{t("measuredFor", { time: formatDuration(window.seconds) })}</span>}
      <span>{t("attemptCount", { count: trial.attempts })}</span>
      <code>{trial.id}</code>
    </>
  );
}

function Download({ trial }: { trial: TrialDetail }) {
  if (!trial.record && !trial.imported) return null;
  return (
    <a className={styles.download} href={trialRawUrl(trial.id)} download={`${trial.id}.txt`}>
      {t("download")}
    </a>
  );
}

function NoRecord({ trial }: { trial: TrialDetail }) {
  const texts: Record<TrialState, string> = {
    queued: t("noRecordQueued"),
    running: t("noRecordRunning"),
    done: t("noRecord"),
    failed: t("noRecordFailed"),
    cancelled: t("noRecordCancelled"),
    spared: t("noRecordSkipped"),
  };
  return <Note tone={trial.state === "failed" ? "warn" : "info"}>{texts[trial.state]}</Note>;
}

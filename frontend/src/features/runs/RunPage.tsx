import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo } from "react";
import { useNavigate, useParams } from "react-router";
import { hostHref } from "@/api/capabilities";
import type { ChartModel } from "@/api/generated";
import { ApiError } from "@/api/errors";
import { imageUrl, type ImageChoice, type ImageFormat, type ImageTheme } from "@/api/exports";
import { queries } from "@/api/queries";
import { isTerminal } from "@/api/states";
import { withMessages } from "@/messages";
import { onDemand } from "@/components/onDemand";
import { PageHead } from "@/components/PageHead";
import { PageStatus } from "@/components/PageStatus";
import { Failure, Loading, Note } from "@/components/Status";
import { useInView } from "@/components/useInView";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import { answerSentence } from "@/features/result/answer";
import { AnswerHead } from "@/features/result/AnswerHead";
import { ExtensionOf, Extensions } from "./Extensions";
import { LivePane } from "./LivePane";
import { cellHref, roundHref } from "./links";
import { MatrixContext, MatrixOfRun } from "./MatrixOfRun";
import { runTitle, withEarlier } from "./patch";
import { RunActions } from "./RunActions";
import { RunNotes } from "./RunNotes";
import { RunMeta } from "./RunMeta";
import { useEndNotice } from "./useEndNotice";
import { useMatrix } from "./useMatrix";
import { useMeasureLost } from "./useMeasureLost";
import { useResult } from "./useResult";
import styles from "./RunPage.module.css";
import { useRunStream } from "./useRunStream";

const t = messages("runs");
const waits = messages("waits");

const ResultView = onDemand(
  async () => (await withMessages(import("@/features/result/ResultView"))).ResultView,
);

/** Changes arrive by the event stream; polling is for proxies that delay the stream. */
const POLL_MS = 60_000;

/** Whether a run that was read before does not exist any more. */
const isGone = (error: unknown) =>
  error instanceof ApiError && (error.status === 404 || error.status === 410);

/** The page of a run: live figures while it runs, its matrix of trials, and its result. */
export function RunPage() {
  const { runId = "" } = useParams();
  return <RunOf key={runId} runId={runId} />;
}

function RunOf({ runId }: { runId: string }) {
  const run = useQuery({
    ...queries.run(runId),
    refetchInterval: ({ state: { data, error } }) =>
      isGone(error) || (data && isTerminal(data.state)) ? false : POLL_MS,
  });
  const deleted = run.data !== undefined && isGone(run.error);
  const active = run.data !== undefined && !deleted && !isTerminal(run.data.state);
  const { store, query: matrix } = useMatrix(runId);
  const [place, isRead] = useInView();
  // While the run is active, its events trigger the requests, and the matrix comes first: the
  // result of a large run takes the server longer.
  const result = useResult(runId, {
    enabled: run.data !== undefined && !deleted && !(active && matrix.isPending),
    poll: !active,
  });
  const { live, phase, recent, lost } = useRunStream(
    runId,
    active && !matrix.isPending,
    store,
    isRead,
  );
  const earlier = matrix.data?.newest;
  const newest = useMemo(() => withEarlier(recent, earlier ?? []), [recent, earlier]);
  // The run and its result end in two requests: the sentence is that of the final result.
  const isFinal = result.data !== undefined && isTerminal(result.data.state);
  const sentence = isFinal && result.data ? answerSentence(result.data) : null;
  const notice = useEndNotice(run.data, sentence);
  useTitle(run.data ? runTitle(run.data, sentence) : t("run"));
  const lostTrials = useMeasureLost(run.data, store);
  const crumbs = [{ label: t("start"), to: "/" }, { label: run.data?.title ?? t("run") }];
  if (!run.data)
    return <PageStatus query={run} crumbs={crumbs} title={t("run")} label={t("runLoading")} />;
  const provisional = !isTerminal(run.data.state);
  // Nothing is shown below the answer before its height is known: it would move.
  const isAwaited = !active && !deleted && result.data === undefined && !result.isError;
  return (
    <div className={styles.page} data-wide-page>
      <PageHead crumbs={crumbs} title={run.data.title} meta={<RunMeta run={run.data} />} />
      {deleted && <Note tone="warn">{t("runDeleted")}</Note>}
      {lost && <Note tone="warn">{waits("streamLost")}</Note>}
      <ExtensionOf run={run.data} />
      <AnswerHead
        model={result.data}
        provisional={provisional}
        isFailed={result.isError}
        actions={deleted ? undefined : <RunActions run={run.data} />}
      />
      <div ref={place} className={styles.result}>
        {active && (
          <LivePane
            run={run.data}
            live={live}
            phase={phase}
            store={store}
            model={result.data}
            notice={notice}
          />
        )}
        {!isAwaited && (
          <MatrixContext value={{ run: run.data, store, query: matrix, recent: newest }}>
            <Result
              runId={runId}
              host={run.data.host}
              model={result.data}
              error={result.error}
              retry={() => void result.refetch()}
              measureLost={lostTrials.open}
              withoutTiles={active}
            />
          </MatrixContext>
        )}
      </div>
      {!isAwaited && <Extensions run={run.data} />}
      {!deleted && !isAwaited && <RunNotes run={run.data} />}
      {lostTrials.dialog}
    </div>
  );
}

interface ResultProps {
  runId: string;
  host: string;
  model: ChartModel | undefined;
  error: Error | null;
  retry: () => void;
  measureLost: (() => void) | undefined;
  /** While the run is measured, its progress is in place of the tiles. */
  withoutTiles: boolean;
}

const TRIALS = <MatrixOfRun />;

function Result({
  runId,
  host,
  model: newest,
  error,
  retry,
  measureLost,
  withoutTiles,
}: ResultProps) {
  const navigate = useNavigate();
  // Drawn in steps between which keys are handled; the first at once, so that nothing moves twice.
  const model = useDeferredValue(newest) ?? newest;
  const links = useMemo(
    () => ({
      cell: (cellId: string) => cellHref(runId, cellId),
      round: (cellId: string, round: number) => roundHref(runId, cellId, round),
      host: hostHref(host),
      open: (href: string) => void navigate(href),
      image: (choice: ImageChoice) => (format: ImageFormat, theme: ImageTheme) =>
        imageUrl(runId, format, theme, choice),
    }),
    [runId, host, navigate],
  );
  if (error && !model)
    return (
      <>
        <Failure error={error} retry={retry} />
        {TRIALS}
      </>
    );
  if (!model) return <Loading label={t("resultLoading")} rows={8} />;
  return (
    <ResultView
      fallback={<Loading label={t("resultChartsLoading")} rows={8} />}
      model={model}
      links={links}
      trials={TRIALS}
      withoutTiles={withoutTiles}
      {...(measureLost && { measureLost })}
    />
  );
}

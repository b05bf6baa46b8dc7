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
import { Extensions } from "./Extensions";
import { LivePane } from "./LivePane";
import { cellHref, roundHref } from "./links";
import { MatrixCard } from "./MatrixCard";
import { runTitle, withEarlier } from "./patch";
import { RunActions } from "./RunActions";
import { RunNotes } from "./RunNotes";
import { RunMeta } from "./RunMeta";
import { useMatrix } from "./useMatrix";
import { useResult } from "./useResult";
import styles from "./RunPage.module.css";
import { useRunStream } from "./useRunStream";

const t = messages("runs");
const waits = messages("waits");

const ResultView = onDemand(async () => (await withMessages(import("@/features/result/ResultView"))).ResultView);

/** Changes arrive by the event stream; polling is for proxies that delay the stream. */
const POLL_MS = 60_000;

/** Whether a run that was read before does not exist any more. */
const isGone = (error: unknown) => error instanceof ApiError && (error.status === 404 || error.status === 410);

/** The page of a run: live figures while it runs, its matrix of trials, and its result. */
export function RunPage() {
  const { runId = "" } = useParams();
  return <RunOf key={runId} runId={runId} />;
}

function RunOf({ runId }: { runId: string }) {
  const run = useQuery({ ...queries.run(runId), refetchInterval: ({ state: { data, error } }) => (isGone(error) || (data && isTerminal(data.state)) ? false : POLL_MS) });
  const deleted = run.data !== undefined && isGone(run.error);
  const active = run.data !== undefined && !deleted && !isTerminal(run.data.state);
  const { store, query: matrix } = useMatrix(runId);
  const [place, isRead] = useInView();
  // While the run is active, its events trigger the requests. The matrix comes first: the result of a large run takes the server longer.
  const result = useResult(runId, { enabled: run.data !== undefined && !deleted && !matrix.isPending, poll: !active });
  const { live, phase, recent, lost } = useRunStream(runId, active && !matrix.isPending, store, isRead);
  const earlier = matrix.data?.newest;
  const newest = useMemo(() => withEarlier(recent, earlier ?? []), [recent, earlier]);
  useTitle(run.data ? runTitle(run.data) : t("run"));
  const crumbs = [{ label: t("start"), to: "/" }, { label: run.data?.title ?? t("run") }];
  if (!run.data) return <PageStatus query={run} crumbs={crumbs} title={t("run")} label={t("runLoading")} />;
  return (
    <>
      <PageHead crumbs={crumbs} title={run.data.title} meta={<RunMeta run={run.data} />} actions={deleted ? undefined : <RunActions run={run.data} />} />
      {deleted && <Note tone="warn">{t("runDeleted")}</Note>}
      {lost && <Note tone="warn">{waits("streamLost")}</Note>}
      {run.data.state === "cancelled" && <Note tone="info">{t("runCancelled")}</Note>}
      <Extensions run={run.data} />
      {active && <LivePane run={run.data} live={live} phase={phase} recent={newest} store={store} model={result.data} />}
      {active && <MatrixCard run={run.data} store={store} query={matrix} />}
      <div ref={place} className={styles.result}>
        <Result runId={runId} host={run.data.host} model={result.data} error={result.error} retry={() => void result.refetch()} provisional={!isTerminal(run.data.state)} />
      </div>
      {!active && <MatrixCard run={run.data} store={store} query={matrix} />}
      {!deleted && <RunNotes run={run.data} />}
    </>
  );
}

interface ResultProps {
  runId: string;
  host: string;
  model: ChartModel | undefined;
  error: Error | null;
  retry: () => void;
  provisional: boolean;
}

function Result({ runId, host, model: newest, error, retry, provisional }: ResultProps) {
  const navigate = useNavigate();
  // Drawn in steps between which events and keys are handled.
  const model = useDeferredValue(newest);
  const links = useMemo(
    () => ({
      cell: (cellId: string) => cellHref(runId, cellId),
      round: (cellId: string, round: number) => roundHref(runId, cellId, round),
      host: hostHref(host),
      open: (href: string) => void navigate(href),
      image: (choice: ImageChoice) => (format: ImageFormat, theme: ImageTheme) => imageUrl(runId, format, theme, choice),
    }),
    [runId, host, navigate],
  );
  if (error && !model) return <Failure error={error} retry={retry} />;
  if (!model) return <Loading label={t("resultLoading")} rows={8} />;
  return (
    <ResultView fallback={<Loading label={t("resultChartsLoading")} rows={8} />} model={model} provisional={provisional} links={links} />
  );
}

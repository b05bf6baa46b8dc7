import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "react-router";
import { queries } from "@/api/queries";
import { isOpen } from "@/api/states";
import { Button, ButtonLink } from "@/components/Button";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { factName } from "@/components/factName";
import { formatLevel } from "@/components/format";
import { Hops } from "@/components/Hops";
import { PageHead } from "@/components/PageHead";
import { PageStatus } from "@/components/PageStatus";
import { StateBadge } from "@/components/State";
import { cellState } from "@/components/stateLabels";
import { Failure, Note, QueryStatus } from "@/components/Status";
import { useTitle } from "@/components/useTitle";
import { NoticeList } from "@/components/NoticeList";
import { CellFigures } from "@/features/result/CellFigures";
import { useEscapeUp } from "@/components/shortcuts";
import { serverText } from "@/components/serverText";
import { messages } from "@/messages";
import { CellProcesses } from "./CellProcesses";
import { CellTrials } from "./CellTrials";
import { FlameSection } from "./FlameSection";
import { runHref } from "./links";
import { RepeatDialog } from "./RepeatDialog";
import { isProvisional, RESULT_POLL_MS, useResult } from "./useResult";

const t = messages("runs");

/** The page of a cell: figures, trials, levels and hops. */
export function CellPage() {
  const { runId = "", cellId = "" } = useParams();
  const result = useResult(runId);
  const trials = useQuery({ ...queries.cellTrials(runId, cellId), refetchInterval: (query) => (query.state.data?.some((trial) => isOpen(trial.state)) ? 4000 : false) });
  const model = result.data;
  const whole = useQuery({
    ...queries.resultCell(runId, cellId, model?.state),
    enabled: model?.reduced != null,
    refetchInterval: isProvisional(model) ? RESULT_POLL_MS : false,
  });
  const cell = whole.data ?? model?.cells.find((each) => each.id === cellId);
  useTitle(cell ? cell.label : t("matrixCell"));
  useEscapeUp(t("upToRun"));
  const crumbs = [{ label: t("start"), to: "/" }, { label: model?.title ?? t("run"), to: runHref(runId) }, { label: cell ? cell.label : t("cellId", { cell: cellId }) }];
  if (!model) return <PageStatus query={result} crumbs={crumbs} title={t("cellId", { cell: cellId })} label={t("cellLoading")} />;
  if (!cell)
    return (
      <>
        <PageHead crumbs={crumbs} title={t("cellId", { cell: cellId })} />
        <Note tone="warn">{t("noCell", { cell: cellId })}</Note>
      </>
    );
  return (
    <>
      <PageHead
        crumbs={crumbs}
        title={cell.label}
        meta={
          <>
            <StateBadge label={cellState(cell.state, model.origin)} />
            <span>
              {cell.trials_failed > 0
                ? t("cellTrialsFailed", { count: cell.trials_planned, done: cell.trials_done, failed: cell.trials_failed })
                : t("cellTrialsDone", { count: cell.trials_planned, done: cell.trials_done })}
            </span>
            {cell.is_baseline && !cell.is_duplicate && <span>{t("baseline")}</span>}
            {cell.is_duplicate && <span>{t("duplicate")}</span>}
            {cell.decided_at !== null && <span>{t("decidedAfter", { count: cell.decided_at })}</span>}
            {(cell.retakes ?? 0) > 0 && <span>{t("measurementsDiscarded", { count: cell.retakes ?? 0 })}</span>}
            <span>{t("cellOf", { cell: cell.id })}</span>
          </>
        }
        actions={<Actions runId={runId} cellId={cell.id} imported={model.origin === "imported"} />}
      />
      {cell.reason && <Note tone={cell.state === "failed" || cell.state === "contradicted" ? "bad" : "warn"}>{serverText(cell.reason, cell.reason_message)}</Note>}
      <NoticeList notices={cell.notices ?? []} label={t("cellWarnings")} />
      {whole.error && !whole.data && <Failure error={whole.error} retry={() => void whole.refetch()} />}
      <CellFigures model={model} cell={cell} />
      <CellProcesses cell={cell} cores={model.cores} />
      <FlameSection runId={runId} cellId={cell.id} label={cell.id} />
      <Card title={t("trials")} note={t("trialsNote")} flush>
        <QueryStatus query={trials} label={t("trialsLoading")} />
        {trials.data && <CellTrials runId={runId} trials={trials.data} model={model} cell={cell} />}
      </Card>
      <Card title={t("levelsTitle")} note={t("levelsNote")}>
        <Hops hops={cell.hops} />
        <br />
        <Facts facts={Object.entries(cell.levels).map(([name, level]) => [factName(name), formatLevel(level)] as const)} />
      </Card>
    </>
  );
}

/** The actions of a cell. An imported cell cannot be repeated. */
function Actions({ runId, cellId, imported }: { runId: string; cellId: string; imported: boolean }) {
  const [open, setOpen] = useState(false);
  const side = encodeURIComponent(cellId);
  return (
    <>
      <ButtonLink to={`/compare?a=${runId}&a_cell=${side}&b=${runId}&b_cell=`} kind="ghost">
        {t("compareCell")}
      </ButtonLink>
      {!imported && <Button onClick={() => setOpen(true)}>{t("repeatTitle")}</Button>}
      <RepeatDialog runId={runId} cellId={cellId} open={open} onClose={() => setOpen(false)} />
    </>
  );
}

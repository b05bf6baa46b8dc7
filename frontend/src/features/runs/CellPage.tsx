import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "react-router";
import { queries } from "@/api/queries";
import { isOpen } from "@/api/states";
import { Button, ButtonLink } from "@/components/Button";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { formatLevel, plural, humanize } from "@/components/format";
import { Hops } from "@/components/Hops";
import { PageHead } from "@/components/PageHead";
import { PageStatus } from "@/components/PageStatus";
import { StateBadge } from "@/components/State";
import { cellState } from "@/components/stateLabels";
import { Failure, Note, QueryStatus } from "@/components/Status";
import { useTitle } from "@/components/useTitle";
import { NoticeList } from "@/components/NoticeList";
import { CellFigures } from "@/features/result/CellFigures";
import { serverText } from "@/components/serverText";
import { CellProcesses } from "./CellProcesses";
import { CellTrials } from "./CellTrials";
import { runHref } from "./links";
import { RepeatDialog } from "./RepeatDialog";
import { isProvisional, RESULT_POLL_MS, useResult } from "./useResult";

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
  useTitle(cell ? cell.label : "Cell");
  const crumbs = [{ label: "Start", to: "/" }, { label: model?.title ?? "Run", to: runHref(runId) }, { label: cell ? cell.label : `Cell ${cellId}` }];
  if (!model) return <PageStatus query={result} crumbs={crumbs} title={`Cell ${cellId}`} label="Loading the cell" />;
  if (!cell)
    return (
      <>
        <PageHead crumbs={crumbs} title={`Cell ${cellId}`} />
        <Note tone="warn">This run has no cell {cellId}.</Note>
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
              {cell.trials_done} of {cell.trials_planned} trials done{cell.trials_failed > 0 && `, ${cell.trials_failed} failed`}
            </span>
            {cell.is_baseline && !cell.is_duplicate && <span>baseline</span>}
            {cell.is_duplicate && <span>A/A duplicate of the baseline</span>}
            {cell.decided_at !== null && <span>decided after {plural(cell.decided_at, "round")}</span>}
            {(cell.retakes ?? 0) > 0 && <span>{plural(cell.retakes ?? 0, "measurement")} discarded</span>}
            <span>cell {cell.id}</span>
          </>
        }
        actions={<Actions runId={runId} cellId={cell.id} imported={model.origin === "imported"} />}
      />
      {cell.reason && <Note tone={cell.state === "failed" || cell.state === "contradicted" ? "bad" : "warn"}>{serverText(cell.reason, cell.reason_message)}</Note>}
      <NoticeList notices={cell.notices ?? []} label="Warnings of this cell" />
      {whole.error && !whole.data && <Failure error={whole.error} retry={() => void whole.refetch()} />}
      <CellFigures model={model} cell={cell} />
      <CellProcesses cell={cell} cores={model.cores} />
      <Card title="Trials" note="One trial per round; trials without a proven path, with invalid figures or disturbed by the host are excluded from the statistics" flush>
        <QueryStatus query={trials} label="Loading the trials" />
        {trials.data && <CellTrials runId={runId} trials={trials.data} model={model} cell={cell} />}
      </Card>
      <Card title="Levels and hops" note="The settings of client and server, and the hops of the path">
        <Hops hops={cell.hops} />
        <br />
        <Facts facts={Object.entries(cell.levels).map(([name, level]) => [humanize(name), formatLevel(level)] as const)} />
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
        Compare with another cell
      </ButtonLink>
      {!imported && <Button onClick={() => setOpen(true)}>Repeat without Plimsoll</Button>}
      <RepeatDialog runId={runId} cellId={cellId} open={open} onClose={() => setOpen(false)} />
    </>
  );
}

import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import type { ChartCell, ChartModel } from "@/api/chart";
import { getResult } from "@/api/getResult";
import { getTrials } from "@/api/getTrials";
import { keys } from "@/api/queryKeys";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { formatInterval, formatLevel, formatNumber, formatP, formatRatio, words } from "@/components/format";
import { Hops } from "@/components/Hops";
import { PageHead } from "@/components/PageHead";
import { State, StateBadge } from "@/components/State";
import { CELL_STATES, VERDICTS } from "@/components/states";
import { Failure, Loading, Note } from "@/components/Status";
import table from "@/components/table.module.css";
import { TableScroll } from "@/components/TableScroll";
import { useTitle } from "@/components/useTitle";
import { drawnSummary } from "@/charts/dotLayout";
import { runHref } from "./links";
import { CellTrials } from "./CellTrials";

/** One cell of a run: what it is, what was found, and each of its trials. */
export function CellPage() {
  const { runId = "", cellId = "" } = useParams();
  const result = useQuery({ queryKey: keys.result(runId), queryFn: () => getResult(runId) });
  const trials = useQuery({ queryKey: [...keys.trials(runId), cellId], queryFn: () => getTrials(runId, cellId), refetchInterval: (query) => (query.state.data?.some((trial) => trial.state === "queued" || trial.state === "running") ? 4000 : false) });
  const model = result.data;
  const cell = model?.cells.find((each) => each.id === cellId);
  useTitle(cell ? cell.label : "Cell");
  const crumbs = [{ label: "Start", to: "/" }, { label: model?.title ?? "Run", to: runHref(runId) }, { label: cell ? cell.label : `Cell ${cellId}` }];
  if (result.isPending) return <Loading label="Loading the cell" rows={8} />;
  if (!model || !cell)
    return (
      <>
        <PageHead crumbs={crumbs} title={`Cell ${cellId}`} />
        {result.error ? <Failure error={result.error} retry={() => void result.refetch()} /> : <Note tone="warn">This run has no cell {cellId}.</Note>}
      </>
    );
  return (
    <>
      <PageHead
        crumbs={crumbs}
        title={cell.label}
        meta={
          <>
            <StateBadge told={CELL_STATES[cell.state]} />
            <span>
              {cell.trials_done} of {cell.trials_planned} trials done{cell.trials_failed > 0 && `, ${cell.trials_failed} failed`}
            </span>
            {cell.is_baseline && !cell.is_duplicate && <span>baseline</span>}
            {cell.is_duplicate && <span>A/A duplicate of the baseline</span>}
            <span>cell {cell.id}</span>
          </>
        }
      />
      {cell.reason && <Note tone={cell.state === "failed" || cell.state === "contradicted" ? "bad" : "warn"}>{cell.reason}</Note>}
      {cell.warnings.length > 0 && (
        <Note tone="warn">
          {cell.warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </Note>
      )}
      <Found model={model} cell={cell} />
      <Card title="Trials" note="One trial a round; a figure whose path is contradicted takes no part" flush>
        {trials.error && !trials.data && <Failure error={trials.error} retry={() => void trials.refetch()} />}
        {trials.data ? <CellTrials runId={runId} trials={trials.data} model={model} cell={cell} /> : !trials.error && <Loading label="Loading the trials" />}
      </Card>
      <Card title="Levels and hops" note="What the client was told to do, and what handles the bytes on this path">
        <Hops hops={cell.hops} />
        <br />
        <Facts facts={Object.entries(cell.levels).map(([name, level]) => [words(name), formatLevel(level)] as const)} />
      </Card>
    </>
  );
}

function Found({ model, cell }: { model: ChartModel; cell: ChartCell }) {
  const rows = model.axes.flatMap((axis) => {
    const summary = drawnSummary(cell, axis.metric);
    return summary ? [{ axis, summary, comparison: cell.comparisons[axis.metric] }] : [];
  });
  if (rows.length === 0) return null;
  return (
    <Card title="Found" flush>
      <TableScroll label="Found">
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">Metric</th>
              <th scope="col" className={table.num}>n</th>
              <th scope="col" className={table.num}>Median</th>
              <th scope="col" className={table.num}>95 % interval</th>
              <th scope="col" className={table.num}>Ratio to baseline</th>
              <th scope="col" className={table.num}>95 % interval</th>
              <th scope="col" className={table.num}>p (Holm)</th>
              <th scope="col">Verdict</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ axis, summary, comparison }) => (
              <tr key={axis.metric}>
                <th scope="row">{axis.label}</th>
                <td className={table.num}>{summary.n}</td>
                <td className={table.num}>{formatNumber(summary.median, axis.decimals)} {axis.unit}</td>
                <td className={table.num}>{formatInterval(summary.interval, axis.decimals)}</td>
                <td className={table.num}>{formatRatio(comparison?.ratio)}</td>
                <td className={table.num}>{formatInterval(comparison?.interval, 3)}</td>
                <td className={table.num}>{formatP(comparison?.p_holm)}</td>
                <td>{comparison ? <State told={VERDICTS[comparison.verdict]}>{comparison.sentence}</State> : <span className={table.quiet}>baseline</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </Card>
  );
}

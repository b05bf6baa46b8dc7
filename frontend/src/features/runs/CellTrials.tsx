import { Link } from "react-router";
import type { ChartCell, ChartModel, Trial } from "@/api/generated";
import { DataTable } from "@/components/DataTable";
import { formatNumber } from "@/components/format";
import { State } from "@/components/State";
import { CELL_STATES, EVIDENCE, TRIAL_STATES } from "@/components/stateLabels";
import { Empty } from "@/components/Status";
import table from "@/components/table.module.css";
import { messages } from "@/messages";
import { trialHref } from "./links";

const t = messages("runs");

interface Props {
  runId: string;
  trials: readonly Trial[];
  model: ChartModel;
  cell: ChartCell;
}

/** The trials of a cell by round, with figures and evidence. */
export function CellTrials({ runId, trials, model, cell }: Props) {
  if (trials.length === 0)
    return (
      <Empty title={t("noTrials")}>
        <p>{noTrialsReason(cell, model)}</p>
      </Empty>
    );
  const rows = [...trials].sort((a, b) => a.round - b.round);
  return (
    <DataTable
      label={t("trials")}
      columns={[
        [t("trial")],
        [t("state")],
        ...shownAxes(model).map((axis) => [`${axis.metric} (${axis.unit})`, "num"] as const),
        ...(measured(model) ? [[t("cpuCores"), "num"] as const] : []),
        [t("evidence")],
        [t("attempts"), "num"],
      ]}
      tiles
    >
      {rows.map((trial) => (
        <TrialRow key={trial.id} runId={runId} trial={trial} model={model} />
      ))}
    </DataTable>
  );
}

function noTrialsReason(cell: ChartCell, { origin }: ChartModel): string {
  if (cell.state !== "infeasible") return t("noneplanned");
  return origin === "imported" ? t("noLog") : t("cannotRun");
}

/** Returns the first two metrics; the others are on the page of the trial. */
function shownAxes(model: ChartModel) {
  return model.axes.slice(0, 2);
}

/** Whether CPU was measured: not in imported runs. */
function measured(model: ChartModel): boolean {
  return model.origin === "measured";
}

function TrialRow({ runId, trial, model }: { runId: string; trial: Trial; model: ChartModel }) {
  const label = TRIAL_STATES[trial.state];
  const cell = model.cells.find(({ id }) => id === trial.cell_id);
  return (
    <tr>
      <th scope="row">
        <Link to={trialHref(runId, trial.id)}>{t("roundNumber", { round: trial.round })}</Link>
      </th>
      <td data-wide>
        <State label={label}>
          {label.word}
          {cell?.unsteady.includes(trial.round) && <span className={table.quiet}> {t("unsteady")}</span>}
          {trial.failure_detail && <span className={table.quiet}> {trial.failure_detail}</span>}
        </State>
        {trial.excluded && <State label={CELL_STATES.excluded}>{t("excludedFor", { state: CELL_STATES.excluded.word, reason: trial.excluded })}</State>}
        {cell?.invalid?.includes(trial.round) && <State label={CELL_STATES.invalid}>{t("leftOut", { state: CELL_STATES.invalid.word })}</State>}
        {cell?.contaminated?.includes(trial.round) && <State label={CELL_STATES.contaminated}>{t("leftOut", { state: CELL_STATES.contaminated.word })}</State>}
      </td>
      {shownAxes(model).map((axis) => (
        <td key={axis.metric} data-label={`${axis.metric} (${axis.unit})`} className={table.num}>{formatNumber(trial.metrics?.[axis.metric], axis.decimals)}</td>
      ))}
      {measured(model) && <td data-label={t("cpuCores")} className={table.num}>{formatNumber(trial.metrics?.["cpu_cores"], 2)}</td>}
      <td data-label={t("evidence")}>{trial.evidence_verdict ? <State label={EVIDENCE[trial.evidence_verdict]} /> : "–"}</td>
      <td data-label={t("attempts")} className={table.num}>{trial.attempts}</td>
    </tr>
  );
}

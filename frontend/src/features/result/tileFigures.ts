/** The four figures below the answer: change, proxy cores, CPU per operation, quality. Pure. */
import type { ChartCell, ChartModel } from "@/api/generated";
import { hasFigures, isTerminal, summaryOf } from "@/api/states";
import { formatLevel, formatNumber, sentenceCase } from "@/components/format";
import { changeOf, OUTCOMES, outcomeOf, type Outcome } from "@/components/outcome";
import { operationOf, rateNamed } from "@/components/rates";
import { metricLabel } from "@/components/metricLabels";
import { messages } from "@/messages";
import { answerOf, quotedBy } from "./answer";

const t = messages("answer");
const COST = "cpu_us_per_txn";
const MISSING = "–";

export interface Tile {
  key: "change" | "proxy" | "cost" | "quality";
  name: string;
  value: string;
  unit?: string;
  /** A line of explanation below. */
  detail: string;
  outcome?: Outcome;
}

/** Returns the tiles of a result; each says in words why it has no figure. */
export function tilesOf(model: ChartModel): Tile[] {
  return [changeTile(model), proxyTile(model), costTile(model), qualityTile(model)];
}

/** The trials of a result: planned, with figures in the statistics, and lost. */
export interface TrialCounts {
  planned: number;
  counted: number;
  lost: number;
}

/** Returns the number of trials of all cells that can run here; lost are those that failed or are left out. */
export function trialCounts({ cells }: Pick<ChartModel, "cells">): TrialCounts {
  const of = (count: (cell: ChartCell) => number) => cells.reduce((sum, cell) => sum + count(cell), 0);
  const left = of(({ left_out }) => left_out.length);
  const counted = of(({ trials_done }) => trials_done) - left;
  const lost = of(({ trials_failed }) => trials_failed) + left;
  // Spare rounds make up for lost trials, beyond the plan.
  return { planned: Math.max(of(({ trials_planned }) => trials_planned), counted + lost), counted, lost };
}

function changeTile(model: ChartModel): Tile {
  const answer = answerOf(model);
  const axis = model.axes.find(({ metric }) => metric === answer.metric) ?? model.axes[0];
  const name = axis ? (rateNamed(axis.metric) ? t("throughput") : sentenceCase(metricLabel(axis))) : t("throughput");
  const found = quotedBy(model, answer);
  if (found) {
    const outcome = outcomeOf(found.comparison);
    const isShown = outcome === "worse" || outcome === "better";
    const change = changeOf(found.comparison);
    const value = change === "" ? MISSING : isShown || outcome === "equal" ? change : OUTCOMES[outcome].word;
    return { key: "change", name, value, detail: endsOf(model, found.cell, found.comparison.baseline_id), outcome };
  }
  const single = model.cells.filter((cell) => !cell.is_duplicate);
  const compared = single.filter((cell) => axis && cell.comparisons[axis.metric]).length;
  if (compared > 0) {
    const detail = t("comparisonsOf", { count: compared, n: formatNumber(compared) });
    return { key: "change", name, value: OUTCOMES[answer.outcome].word, detail, outcome: answer.outcome };
  }
  const [only] = single;
  const summary = only && axis ? summaryOf(only, axis.metric) : null;
  if (only && axis && summary && single.length === 1)
    return { key: "change", name, value: formatNumber(summary.median, axis.decimals), unit: rateNamed(axis.metric)?.short ?? axis.unit, detail: t("oneCell") };
  return { key: "change", name, value: MISSING, detail: t("nothingCompared") };
}

/** "on against off" where the two cells differ in one factor, but for the path; else the label of the baseline. */
function endsOf({ cells }: ChartModel, cell: ChartCell, baselineId: string): string {
  const baseline = cells.find(({ id }) => id === baselineId);
  if (!baseline) return cell.label;
  // A factor that only one of them has, such as the program of a proxy that is off, follows from another one.
  const both = Object.entries(cell.levels).filter(([name]) => baseline.levels[name] !== undefined);
  const [first, ...others] = both.filter(([name, level]) => level !== baseline.levels[name]);
  if (first && others.length === 0 && first[0] !== "path")
    return t("against", { one: formatLevel(first[1]), other: formatLevel(baseline.levels[first[0]] ?? "") });
  return t("againstBaseline", { baseline: baseline.label });
}

function proxyCores({ cpu }: ChartCell): number {
  return cpu.reduce((sum, { role, cores }) => (role === "proxy" ? sum + cores : sum), 0);
}

/** Why no cell has CPU. */
function whyNoCpu(model: ChartModel): string {
  if (model.cells.some(hasFigures)) return t("cpuNotMeasured");
  return t(isTerminal(model.state) ? "noTrialCounts" : "notYetMeasured");
}

function proxyTile(model: ChartModel): Tile {
  const name = t("proxyCpu");
  const measured = model.cells.filter(({ cpu, id }) => cpu.length > 0 && id !== "");
  if (measured.length === 0) return { key: "proxy", name, value: MISSING, detail: whyNoCpu(model) };
  const answer = quotedBy(model, answerOf(model))?.cell;
  const most = measured.reduce((a, b) => (proxyCores(b) > proxyCores(a) ? b : a));
  const cell = answer && proxyCores(answer) > 0 ? answer : most;
  const cores = proxyCores(cell);
  const unit = t("cores");
  if (cores === 0) return { key: "proxy", name, value: "0", unit, detail: t("noProxy") };
  return { key: "proxy", name, value: formatNumber(cores, 2), unit, detail: cell.label };
}

function costTile(model: ChartModel): Tile {
  const name = t("cpuPer", { operation: operationOf(model.cells.map(({ levels }) => levels)) });
  const axis = model.axes.find(({ metric }) => metric === COST);
  if (model.cells.every(({ cpu }) => cpu.length === 0)) return { key: "cost", name, value: MISSING, detail: whyNoCpu(model) };
  const answer = answerOf(model);
  const cell = model.cells.find(({ id }) => id === answer.cell_id) ?? model.cells.find((each) => summaryOf(each, COST));
  const own = cell && summaryOf(cell, COST);
  if (!axis || !cell || !own) return { key: "cost", name, value: MISSING, detail: t("nothingMeasured") };
  const figure = (value: number | null | undefined) => formatNumber(value, axis.decimals);
  const comparison = cell.comparisons[COST];
  const baseline = comparison && model.cells.find(({ id }) => id === comparison.baseline_id);
  const other = baseline && summaryOf(baseline, COST);
  if (!comparison || !other) return { key: "cost", name, value: figure(own.median), unit: axis.unit, detail: cell.label };
  const outcome = outcomeOf(comparison);
  const isShown = outcome !== "no_answer";
  return {
    key: "cost",
    name,
    value: (isShown && changeOf(comparison)) || OUTCOMES[outcome].word,
    detail: t("fromTo", { from: figure(other.median), to: figure(own.median), unit: axis.unit }),
    outcome,
  };
}

function qualityTile(model: ChartModel): Tile {
  const { planned, counted, lost } = trialCounts(model);
  const of = { n: formatNumber(counted), all: formatNumber(planned), count: planned };
  const detail = t("rounds", { count: model.rounds_planned, done: formatNumber(model.rounds_complete), all: formatNumber(Math.max(model.rounds_planned, model.rounds_complete)) });
  const tile = { key: "quality" as const, name: t("quality") };
  if (planned === 0) return { ...tile, value: MISSING, detail: t("noTrials") };
  if (lost > 0) return { ...tile, value: t("lostOf", { count: planned, n: formatNumber(lost), all: formatNumber(planned) }), detail };
  const isWhole = counted >= planned;
  return { ...tile, value: isWhole && isTerminal(model.state) ? t("allCount", of) : t("countedOf", of), detail };
}

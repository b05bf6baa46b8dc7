/** The cells of a run by rows, columns and panels, with figures and colours. Pure. */
import type { Axis, ChartCell, ChartModel, Comparison, Summary } from "@/api/generated";
import { isDifference, summaryOf } from "@/api/states";
import { BASELINE, NOT_COMPARED, VERDICTS, withoutFigure, type StateLabel } from "@/components/stateLabels";
import { factorName, levelText, NO_LEVEL, pivotCells, variedFactors, type PivotChoice } from "./pivotChoice";

/** The colour of a cell of the heat map. */
export type Tint =
  | { kind: "better" | "worse"; strength: number }
  /** Equal, or no answer. */
  | { kind: "grey" }
  /** By value relative to the others, where no cell has a ratio. */
  | { kind: "value"; strength: number }
  | { kind: "base" }
  | { kind: "none" };

export interface PivotEntry {
  cell: ChartCell;
  summary: Summary | null;
  comparison: Comparison | null;
  label: StateLabel;
  /** The levels of the factors without a role as row, column or panel. */
  name: string;
  color: number;
  shape: number;
  tint: Tint;
}

export interface PivotPanel {
  level: string | null;
  /** "tool pgbench", or empty where there is one panel. */
  title: string;
  /** By row and column; empty where the plan has no such cell. */
  entries: PivotEntry[][][];
}

export interface Pivot {
  rows: string[];
  columns: string[];
  panels: PivotPanel[];
  /** The levels of the colour factor with their palette indices. */
  legend: { label: string; color: number; shape: number }[];
  /** The factors in which cells of one position differ, besides the colour. */
  differing: string[];
}

interface Scale {
  /** The largest |ln ratio| among cells that differ from their baseline; 0 without a ratio. */
  ratio: number;
  values: [number, number];
  compared: boolean;
}

function scaleOf(cells: readonly ChartCell[], metric: string): Scale {
  const shown = cells.filter((cell) => summaryOf(cell, metric));
  const comparisons = shown.flatMap((cell) => cell.comparisons[metric] ?? []);
  const values = shown.flatMap((cell) => summaryOf(cell, metric)?.median ?? []);
  return {
    ratio: Math.max(0, ...comparisons.filter(({ verdict }) => isDifference(verdict)).map(({ ratio }) => Math.abs(Math.log(ratio ?? 1)))),
    values: [Math.min(...values), Math.max(...values)],
    compared: comparisons.some(({ ratio }) => ratio !== null),
  };
}

function tintOf(cell: ChartCell, summary: Summary | null, comparison: Comparison | null, axis: Axis, scale: Scale): Tint {
  if (!summary || summary.median === null) return { kind: "none" };
  if (!scale.compared) {
    const [low, high] = scale.values;
    return { kind: "value", strength: high > low ? (summary.median - low) / (high - low) : 0 };
  }
  if (cell.is_baseline) return { kind: "base" };
  if (!comparison || (comparison.ratio === null && !comparison.difference)) return { kind: "none" };
  if (!isDifference(comparison.verdict)) return { kind: "grey" };
  if (comparison.ratio === null) return { kind: comparison.verdict === "better" ? "better" : "worse", strength: 1 };
  const better = comparison.ratio > 1 === (axis.better === "higher");
  return { kind: better ? "better" : "worse", strength: scale.ratio > 0 ? Math.abs(Math.log(comparison.ratio)) / scale.ratio : 0 };
}

function labelOf({ origin }: ChartModel, cell: ChartCell, summary: Summary | null, comparison: Comparison | null): StateLabel {
  if (!summary) return withoutFigure(cell, origin);
  if (comparison) return VERDICTS[comparison.verdict];
  return cell.is_baseline ? BASELINE : NOT_COMPARED;
}

function levelsOf(model: ChartModel, factor: string | null): string[] {
  return variedFactors(model).find(({ name }) => name === factor)?.levels ?? [];
}

/** Returns a level after its factor's name; a path's title alone. */
export function titled(factor: string | null, level: string): string {
  if (factor === null) return "";
  return factor === "path" ? level : `${factorName(factor)} ${level}`;
}

/** Returns a function from a cell to its palette indices: the run's own where the colour factor is the run's series factor. */
function colorsOf(model: ChartModel, choice: PivotChoice): (cell: ChartCell) => { color: number; shape: number } {
  // Without a colour factor all cells have one colour.
  if (choice.color === null) return () => ({ color: 0, shape: 0 });
  if (choice.color === model.series_factor) return ({ color, shape }) => ({ color, shape });
  const levels = levelsOf(model, choice.color);
  const factor = choice.color;
  return (cell) => {
    const index = Math.max(0, levels.indexOf(levelText(cell, factor)));
    return { color: index, shape: index };
  };
}

export function pivot(model: ChartModel, choice: PivotChoice, axis: Axis): Pivot {
  const cells = pivotCells(model);
  const scale = scaleOf(cells, axis.metric);
  const colors = colorsOf(model, choice);
  const placed = new Set([choice.rows, choice.columns, choice.panels]);
  const others = variedFactors(model).filter(({ name }) => !placed.has(name));
  const entryOf = (cell: ChartCell): PivotEntry => {
    const summary = summaryOf(cell, axis.metric);
    const comparison = summary ? (cell.comparisons[axis.metric] ?? null) : null;
    const name = others.flatMap((factor) => (levelText(cell, factor.name) === NO_LEVEL ? [] : titled(factor.name, levelText(cell, factor.name)))).join(", ");
    return { cell, summary, comparison, label: labelOf(model, cell, summary, comparison), name, ...colors(cell), tint: tintOf(cell, summary, comparison, axis, scale) };
  };
  const at = (cell: ChartCell, factor: string | null) => (factor === null ? "" : levelText(cell, factor));
  const axisLevels = (factor: string | null) => (factor === null ? [""] : levelsOf(model, factor));
  const [rows, columns] = [axisLevels(choice.rows), axisLevels(choice.columns)];
  const entries = cells.map(entryOf);
  const panels = axisLevels(choice.panels).map((level): PivotPanel => {
    const inside = entries.filter(({ cell }) => at(cell, choice.panels) === level);
    const found = Map.groupBy(inside, ({ cell }) => JSON.stringify([at(cell, choice.rows), at(cell, choice.columns)]));
    return {
      level: choice.panels === null ? null : level,
      title: titled(choice.panels, level),
      entries: rows.map((row) => columns.map((column) => found.get(JSON.stringify([row, column])) ?? [])),
    };
  });
  const unnamed = others.map(({ name }) => name).filter((name) => name !== choice.color);
  return { rows, columns, panels: panels.filter((panel) => panel.entries.flat(2).length > 0), legend: legendOf(model, choice, cells, colors), differing: differingIn(panels, unnamed) };
}

/** Returns those of the factors that have several levels in one position of a panel. */
function differingIn(panels: readonly PivotPanel[], factors: readonly string[]): string[] {
  const places = panels.flatMap((panel) => panel.entries.flat());
  return factors.filter((factor) => places.some((entries) => new Set(entries.map(({ cell }) => levelText(cell, factor))).size > 1));
}

function legendOf(model: ChartModel, { color: factor }: PivotChoice, cells: readonly ChartCell[], colors: ReturnType<typeof colorsOf>): Pivot["legend"] {
  if (factor === null) return [];
  return levelsOf(model, factor).flatMap((level) => {
    const cell = cells.find((each) => levelText(each, factor) === level);
    return cell ? [{ label: titled(factor, level), ...colors(cell) }] : [];
  });
}

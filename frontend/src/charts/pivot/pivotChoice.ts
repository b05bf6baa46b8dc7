/** The placement of factors in the pivot, kept in the address. Pure. */
import type { Level } from "@/api/draft";
import type { ChartCell, ChartModel } from "@/api/generated";
import type { ImageChoice } from "@/api/exports";
import { formatLevel, words } from "@/components/format";

export const ROLES = ["rows", "columns", "color", "panels"] as const;
export type Role = (typeof ROLES)[number];
type View = "table" | "chart";

export interface PivotChoice {
  rows: string | null;
  columns: string | null;
  color: string | null;
  panels: string | null;
  metric: string;
  view: View;
  /** Whether all panels share one axis. */
  sameScale: boolean;
}

interface VariedFactor {
  name: string;
  /** In the plan's order; a cell that has no such level is under NO_LEVEL. */
  levels: string[];
}

/** The level of a factor that a cell does not have. */
export const NO_LEVEL = "–";
/** In the address: no factor, as opposed to the usual one. */
const NOTHING = "none";

/** A level as the text that identifies it: 8 and "8" of one factor are the same. */
export function levelText(level: Level | undefined): string {
  return level === undefined ? NO_LEVEL : formatLevel(level);
}

/** The cells of a pivot: without the A/A duplicates, which have the levels of their baselines. */
export function pivotCells({ cells }: Pick<ChartModel, "cells">): ChartCell[] {
  return cells.filter((cell) => !cell.is_duplicate);
}

/** The factors with more than one level among the cells. */
export function variedFactors(model: Pick<ChartModel, "cells">): VariedFactor[] {
  const cells = pivotCells(model);
  const names = new Set(cells.flatMap((cell) => Object.keys(cell.levels)));
  return [...names].flatMap((name): VariedFactor[] => {
    const levels = [...new Set(cells.map((cell) => levelText(cell.levels[name])))];
    return levels.filter((level) => level !== NO_LEVEL).length > 1 ? [{ name, levels }] : [];
  });
}

function usual(model: ChartModel, varied: readonly VariedFactor[]): Record<Role, string | null> {
  const names = varied.map(({ name }) => name);
  const known = [model.row_factor, model.series_factor].filter((name) => names.includes(name));
  const [rows, columns, panels, color] = [...new Set([...known, ...names])];
  return { rows: rows ?? null, columns: columns ?? null, panels: panels ?? null, color: color ?? null };
}

/** What the address asks for; what it does not name is as usual, and no factor is placed twice. */
export function choiceOf(model: ChartModel, query: URLSearchParams): PivotChoice {
  const varied = variedFactors(model);
  const asked = Object.fromEntries(ROLES.map((role) => [role, query.get(`pivot_${role}`)]));
  const named = ROLES.some((role) => asked[role] != null);
  const standard = usual(model, varied);
  const taken = new Set<string>();
  const chosen = { ...standard };
  for (const role of ROLES) {
    const wish = named ? (asked[role] ?? NOTHING) : standard[role];
    chosen[role] = wish !== null && varied.some(({ name }) => name === wish) && !taken.has(wish) ? wish : null;
    if (chosen[role] !== null) taken.add(chosen[role]);
  }
  const metric = query.get("pivot_metric");
  return {
    ...chosen,
    metric: model.axes.find((axis) => axis.metric === metric)?.metric ?? model.axes[0]?.metric ?? "",
    view: query.get("pivot_view") === "chart" ? "chart" : "table",
    sameScale: query.get("pivot_scale") !== "own",
  };
}

/** The choice with another factor in one role; the role that had it gets the other one. */
export function withRole(choice: PivotChoice, role: Role, factor: string | null): PivotChoice {
  const before = ROLES.find((other) => other !== role && factor !== null && choice[other] === factor);
  return { ...choice, ...(before && { [before]: choice[role] }), [role]: factor };
}

/** The names and values of the address that keep a choice. */
export function addressOf(choice: PivotChoice): Record<string, string | null> {
  return {
    ...Object.fromEntries(ROLES.map((role) => [`pivot_${role}`, choice[role] ?? NOTHING])),
    pivot_metric: choice.metric,
    pivot_view: choice.view === "chart" ? "chart" : null,
    pivot_scale: choice.sameScale ? null : "own",
  };
}

/** The image of what is chosen. */
export function imageOf(choice: PivotChoice): ImageChoice {
  const places = Object.fromEntries(ROLES.map((role) => [role, choice[role] ?? NOTHING]));
  if (choice.view === "table") return { kind: "heatmap", metric: choice.metric, ...places };
  return { kind: "facets", metric: choice.metric, scale: choice.sameScale ? "same" : "own", ...places };
}

export function factorName(name: string): string {
  return words(name);
}

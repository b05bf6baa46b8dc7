/** The roles of factors in the pivot, kept in the address. Pure. */
import type { ChartCell, ChartModel } from "@/api/generated";
import type { ImageChoice } from "@/api/exports";
import { factName } from "@/components/factName";
import { formatLevel } from "@/components/format";
import { languageTag } from "@/messages/language";

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
  /** In plan order; NO_LEVEL is for cells without a level of this factor. */
  levels: string[];
}

/** The text in place of a level, for a cell to which the factor does not apply. */
export const NO_LEVEL = "–";
/** In the address: no factor in this role, in place of the default one. */
const NOTHING = "none";

/** Returns the text that identifies a cell's level of a factor: a path's title; 8 and "8" are the same. */
export function levelText(cell: ChartCell, factor: string): string {
  const level = cell.levels[factor];
  if (level === undefined) return NO_LEVEL;
  return (factor === "path" && cell.path_title) || formatLevel(level);
}

/** Returns the cells without A/A duplicates, which have the levels of their baselines. */
export function pivotCells({ cells }: Pick<ChartModel, "cells">): ChartCell[] {
  return cells.filter((cell) => !cell.is_duplicate);
}

const found = new WeakMap<readonly ChartCell[], { language: string; factors: VariedFactor[] }>();

/** Returns the factors with more than one level among the cells, found once for each list of cells. */
export function variedFactors(model: Pick<ChartModel, "cells">): VariedFactor[] {
  const known = found.get(model.cells);
  if (known?.language === languageTag()) return known.factors;
  const factors = findVaried(model);
  found.set(model.cells, { language: languageTag(), factors });
  return factors;
}

function findVaried(model: Pick<ChartModel, "cells">): VariedFactor[] {
  const cells = pivotCells(model);
  const names = new Set(cells.flatMap((cell) => Object.keys(cell.levels)));
  return [...names].flatMap((name): VariedFactor[] => {
    const levels = [...new Set(cells.map((cell) => levelText(cell, name)))];
    return levels.filter((level) => level !== NO_LEVEL).length > 1 ? [{ name, levels }] : [];
  });
}

function defaultRoles(model: ChartModel, varied: readonly VariedFactor[]): Record<Role, string | null> {
  const names = varied.map(({ name }) => name);
  const known = [model.row_factor, model.series_factor].filter((name) => names.includes(name));
  const [rows, columns, panels, color] = [...new Set([...known, ...names])];
  return { rows: rows ?? null, columns: columns ?? null, panels: panels ?? null, color: color ?? null };
}

/** Returns the choice in the address, with defaults for what it does not name; a factor has one role at most. */
export function choiceOf(model: ChartModel, query: URLSearchParams): PivotChoice {
  const varied = variedFactors(model);
  const requested = Object.fromEntries(ROLES.map((role) => [role, query.get(`pivot_${role}`)]));
  const named = ROLES.some((role) => requested[role] != null);
  const standard = defaultRoles(model, varied);
  const taken = new Set<string>();
  const chosen = { ...standard };
  for (const role of ROLES) {
    const wish = named ? (requested[role] ?? NOTHING) : standard[role];
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

/** Returns the choice with a factor in a role; the role that had this factor gets the replaced one. */
export function withRole(choice: PivotChoice, role: Role, factor: string | null): PivotChoice {
  const before = ROLES.find((other) => other !== role && factor !== null && choice[other] === factor);
  return { ...choice, ...(before && { [before]: choice[role] }), [role]: factor };
}

/** Returns the query parameters of a choice. */
export function addressOf(choice: PivotChoice): Record<string, string | null> {
  return {
    ...Object.fromEntries(ROLES.map((role) => [`pivot_${role}`, choice[role] ?? NOTHING])),
    pivot_metric: choice.metric,
    pivot_view: choice.view === "chart" ? "chart" : null,
    pivot_scale: choice.sameScale ? null : "own",
  };
}

/** Returns the image parameters of a choice. */
export function imageOf(choice: PivotChoice): ImageChoice {
  const places = Object.fromEntries(ROLES.map((role) => [role, choice[role] ?? NOTHING]));
  if (choice.view === "table") return { kind: "heatmap", metric: choice.metric, ...places };
  return { kind: "facets", metric: choice.metric, scale: choice.sameScale ? "same" : "own", ...places };
}

export function factorName(name: string): string {
  return name === "userland_proxy" ? "userland-proxy" : factName(name);
}

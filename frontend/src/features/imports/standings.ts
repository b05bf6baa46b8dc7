/** What is known of each factor of one log: its level, that it has none there, or that it is still to be chosen. Pure. */
import type { Level } from "@/api/types";
import type { KnownFactor } from "./products";

/** Levels that were told of a log; null: the factor does not apply to it. */
export type Told = Record<string, Level | null>;

export interface Standing {
  /** Null where the factor does not apply, undefined while it is still to be chosen. */
  level: Level | null | undefined;
  /** The levels that it can have. */
  offered: Level[];
  /** Whether it may not apply to this log. */
  leavable: boolean;
}

export type Standings = ReadonlyMap<string, Standing>;

/** Whether each need is met: true, false, or undefined while one of them is not known. */
function applies({ needs }: KnownFactor, known: Standings): boolean | undefined {
  if (needs === null) return undefined;
  const met = needs.map((need) => {
    const level = known.get(need.factor)?.level;
    return level === undefined ? undefined : level !== null && need.levels.includes(level);
  });
  if (met.includes(false)) return false;
  return met.includes(undefined) ? undefined : true;
}

function fitting({ levels, byTool }: KnownFactor, known: Standings): Level[] {
  const tool = known.get("tool")?.level;
  const of = tool === undefined || tool === null ? undefined : byTool?.get(tool);
  const found = of ? levels.filter((level) => of.includes(level)) : levels;
  return found.length > 0 ? found : levels;
}

function standing(factor: KnownFactor, told: Level | null | undefined, known: Standings): Standing {
  const there = applies(factor, known);
  if (there === false) return { level: null, offered: [], leavable: true };
  const offered = fitting(factor, known);
  const leavable = there === undefined;
  if (told !== undefined && (told === null ? leavable : offered.includes(told))) return { level: told, offered, leavable };
  // A factor of one level has it wherever it applies.
  return { level: offered.length === 1 && !(leavable && factor.needs !== null) ? offered[0] : undefined, offered, leavable };
}

/** By factor; one stands after those that it needs, so that one pass is enough. */
export function standings(told: Told, factors: readonly KnownFactor[]): Standings {
  const known = new Map<string, Standing>();
  for (const factor of factors) known.set(factor.name, standing(factor, told[factor.name], known));
  return known;
}

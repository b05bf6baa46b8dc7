/** The level of each factor for one log, and the levels that can be chosen. Pure. */
import type { Level } from "@/api/draft";
import type { KnownFactor } from "./products";

/** The given levels of a log; null where the factor does not apply. */
export type GivenLevels = Record<string, Level | null>;

export interface LevelOptions {
  /** Null where the factor does not apply, undefined while no level is chosen. */
  level: Level | null | undefined;
  /** The levels that can be chosen. */
  offered: Level[];
  /** Whether "does not apply" can be chosen. */
  optional: boolean;
}

type LogLevels = ReadonlyMap<string, LevelOptions>;

/** Whether all needs are met; undefined while one of them is not known. */
function applies({ needs }: KnownFactor, known: LogLevels): boolean | undefined {
  if (needs === null) return undefined;
  const met = needs.map((need) => {
    const level = known.get(need.factor)?.level;
    return level === undefined ? undefined : level !== null && need.levels.includes(level);
  });
  if (met.includes(false)) return false;
  return met.includes(undefined) ? undefined : true;
}

function fitting({ levels, byTool }: KnownFactor, known: LogLevels): Level[] {
  const tool = known.get("tool")?.level;
  const of = tool === undefined || tool === null ? undefined : byTool?.get(tool);
  const found = of ? levels.filter((level) => of.includes(level)) : levels;
  return found.length > 0 ? found : levels;
}

function optionsOf(factor: KnownFactor, given: Level | null | undefined, known: LogLevels): LevelOptions {
  const applicable = applies(factor, known);
  if (applicable === false) return { level: null, offered: [], optional: true };
  const offered = fitting(factor, known);
  const optional = applicable === undefined;
  if (given !== undefined && (given === null ? optional : offered.includes(given))) return { level: given, offered, optional };
  // A factor with one level has this level wherever it applies.
  return { level: offered.length === 1 && !(optional && factor.needs !== null) ? offered[0] : undefined, offered, optional };
}

/** Returns the options by factor. Factors are listed after those that they need, so one pass is enough. */
export function levelOptions(given: GivenLevels, factors: readonly KnownFactor[]): LogLevels {
  const known = new Map<string, LevelOptions>();
  for (const factor of factors) known.set(factor.name, optionsOf(factor, given[factor.name], known));
  return known;
}

/** What is known of each factor of one log: its level, that it has none there, or that it is still to be chosen. Pure. */
import type { Level } from "@/api/draft";
import type { KnownFactor } from "./products";

/** Levels that are given for a log; null: the factor does not apply to it. */
export type GivenLevels = Record<string, Level | null>;

export interface LevelOptions {
  /** Null where the factor does not apply, undefined while it is still to be chosen. */
  level: Level | null | undefined;
  /** The levels that it can have. */
  offered: Level[];
  /** Whether it may not apply to this log. */
  optional: boolean;
}

type LogLevels = ReadonlyMap<string, LevelOptions>;

/** Whether each need is met: true, false, or undefined while one of them is not known. */
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
  const there = applies(factor, known);
  if (there === false) return { level: null, offered: [], optional: true };
  const offered = fitting(factor, known);
  const optional = there === undefined;
  if (given !== undefined && (given === null ? optional : offered.includes(given))) return { level: given, offered, optional };
  // A factor of one level has it wherever it applies.
  return { level: offered.length === 1 && !(optional && factor.needs !== null) ? offered[0] : undefined, offered, optional };
}

/** By factor; each is listed after those that it needs, so that one pass is enough. */
export function levelOptions(given: GivenLevels, factors: readonly KnownFactor[]): LogLevels {
  const known = new Map<string, LevelOptions>();
  for (const factor of factors) known.set(factor.name, optionsOf(factor, given[factor.name], known));
  return known;
}

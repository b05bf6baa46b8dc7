/** Assigns log files to cells and rounds. Pure. */
import type { Level, Levels } from "@/api/draft";
import type { ImportLog } from "@/api/generated";
import { formatLevel } from "@/components/format";
import { variedIn, type KnownFactor } from "./products";
import { levelOptions, type GivenLevels } from "./levelOptions";

/** A log file with its levels and its round. */
export interface LogDraft {
  key: string;
  name: string;
  text: string;
  /** The text of the stderr file of the same name. */
  stderr: string;
  levels: GivenLevels;
  /** Null: the next free round of the cell. */
  round: number | null;
}

type Varied = Pick<KnownFactor, "name" | "levels">;

function searchable(text: string): string {
  return ` ${text.toLowerCase().replaceAll(/[^a-z0-9.]+/g, " ").trim()} `;
}

function levelText(level: Level): string {
  return formatLevel(level).replaceAll(",", "");
}

/** Returns the longest level; none where two are equally long. */
function longest(levels: readonly Level[]): Level | undefined {
  const [best, next] = [...levels].sort((a, b) => levelText(b).length - levelText(a).length);
  return best !== undefined && (next === undefined || levelText(next).length < levelText(best).length) ? best : undefined;
}

const isSwitch = ({ levels }: Varied) => levels.some((level) => typeof level === "boolean");

/** Returns the level in a file name: "clients-8", else a text that is a level; "on" and "off" only where one factor has them. */
function levelInName(name: string, factor: Varied, varied: readonly Varied[]): Level | undefined {
  const text = searchable(base(name));
  const named = factor.levels.filter((level) => text.includes(searchable(`${factor.name} ${levelText(level)}`)));
  if (named.length > 0) return longest(named);
  const bare = factor.levels.filter((level) => typeof level !== "number" && text.includes(searchable(levelText(level))));
  if (!isSwitch(factor)) return longest(bare);
  return bare.length === 1 && varied.filter(isSwitch).length === 1 ? bare[0] : undefined;
}

/** Returns a draft of a file, with the levels that its name contains. */
export function draftOf(key: string, name: string, text: string, varied: readonly Varied[]): LogDraft {
  const levels: GivenLevels = {};
  for (const factor of varied) {
    const level = levelInName(name, factor, varied);
    if (level !== undefined) levels[factor.name] = level;
  }
  return { key, name, text, stderr: "", levels, round: null };
}

const STDERR = /\.(stderr|err)$/i;

function base(name: string): string {
  return name.replace(/\.[a-z]+$/i, "");
}

/** Merges each stderr file into the log of the same name ("a.log" and "a.err"); one without a log remains a draft. */
export function withStderr(drafts: readonly LogDraft[]): LogDraft[] {
  const logs = drafts.filter(({ name }) => !STDERR.test(name));
  const placed = new Map<string, LogDraft>();
  for (const draft of drafts.filter(({ name }) => STDERR.test(name))) {
    const [log, another] = logs.filter(({ name }) => base(name) === base(draft.name));
    if (log && !another) placed.set(log.key, draft);
  }
  const taken = new Set([...placed.values()].map(({ key }) => key));
  return drafts
    .filter(({ key }) => !taken.has(key))
    .map((draft) => {
      const found = placed.get(draft.key);
      return found ? { ...draft, stderr: found.text } : draft;
    });
}

/** Returns each draft's round: as typed, or the next free one of its cell. */
export function rounds(drafts: readonly LogDraft[], factors: readonly KnownFactor[]): number[] {
  const varied = variedIn(factors);
  const taken = new Map<string, Set<number>>();
  const cells = drafts.map((draft) => {
    const known = levelOptions(draft.levels, factors);
    const cell = JSON.stringify(varied.map(({ name }) => known.get(name)?.level ?? null));
    const found = taken.get(cell) ?? new Set<number>();
    taken.set(cell, found);
    if (draft.round !== null) found.add(draft.round);
    return found;
  });
  return drafts.map((draft, index) => draft.round ?? next(cells[index] ?? new Set()));
}

function next(taken: Set<number>): number {
  let round = 1;
  while (taken.has(round)) round += 1;
  taken.add(round);
  return round;
}

/** Returns the varied factors without a level for some log. */
export function missingOf(drafts: readonly LogDraft[], factors: readonly KnownFactor[]): string[] {
  const known = drafts.map((draft) => levelOptions(draft.levels, factors));
  return variedIn(factors).map(({ name }) => name).filter((name) => known.some((each) => each.get(name)?.level === undefined));
}

/** Returns the logs of the request, without factors that do not apply; null while a level is missing. */
export function logsOf(drafts: readonly LogDraft[], factors: readonly KnownFactor[]): ImportLog[] | null {
  if (missingOf(drafts, factors).length > 0) return null;
  const numbers = rounds(drafts, factors);
  return drafts.map((draft, index) => {
    const known = levelOptions(draft.levels, factors);
    const levels: Levels = {};
    for (const { name } of variedIn(factors)) {
      const level = known.get(name)?.level;
      if (level !== undefined && level !== null) levels[name] = level;
    }
    return { levels, round: numbers[index] ?? 1, stdout: draft.text, ...(draft.stderr && { stderr: draft.stderr }) };
  });
}

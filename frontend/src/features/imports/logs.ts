/** Old logs on their way to a run: which cell and round each belongs to. Pure. */
import type { ExperimentDocument, ImportLog, Level, Levels } from "@/api/types";
import { formatLevel } from "@/components/format";
import { levelsIn } from "@/components/sweep";

/** One file, with what has been told about it. */
export interface LogDraft {
  key: string;
  name: string;
  text: string;
  levels: Partial<Levels>;
  /** Null: counted up among the logs of the same cell. */
  round: number | null;
}

export interface Varied {
  name: string;
  levels: Level[];
}

/** The factors of which a log must say its level. */
export function variedOf(document: ExperimentDocument): Varied[] {
  return Object.entries(document.factors ?? {})
    .map(([name, value]) => ({ name, levels: levelsIn(value) }))
    .filter(({ levels }) => levels.length > 1);
}

function words(text: string): string {
  return ` ${text.toLowerCase().replace(/\.[a-z]+$/, "").replaceAll(/[^a-z0-9.]+/g, " ")} `;
}

/** The level that a file's name tells: by the longest that it holds, or as "clients-8", or nothing. */
function guessed(name: string, { name: factor, levels }: Varied): Level | undefined {
  const text = words(name);
  const found = levels
    .filter((level) => {
      const level_ = formatLevel(level).replaceAll(",", "");
      return text.includes(words(`${factor} ${level_}.x`).trimEnd() + " ") || (typeof level !== "number" && text.includes(words(`${level_}.x`).trimEnd() + " "));
    })
    .sort((a, b) => String(b).length - String(a).length);
  const [best, next] = found;
  return best !== undefined && (next === undefined || String(next).length < String(best).length) ? best : undefined;
}

/** A file as a draft, its levels read from its name where that says them. */
export function draftOf(key: string, name: string, text: string, varied: readonly Varied[]): LogDraft {
  const levels: Partial<Levels> = {};
  for (const factor of varied) {
    const level = guessed(name, factor);
    if (level !== undefined) levels[factor.name] = level;
  }
  return { key, name, text, levels, round: null };
}

/** The level of one factor; one that the definition no longer has is none. */
export function levelOf(draft: LogDraft, { name, levels }: Varied): Level | undefined {
  const level = draft.levels[name];
  return level !== undefined && levels.includes(level) ? level : undefined;
}

/** Each draft's round: as typed, or the next free one of its cell, in the order of the list. */
export function rounds(drafts: readonly LogDraft[], varied: readonly Varied[]): number[] {
  const cellOf = (draft: LogDraft) => JSON.stringify(varied.map((factor) => levelOf(draft, factor) ?? null));
  const taken = new Map<string, Set<number>>();
  const of = (draft: LogDraft) => {
    const known = taken.get(cellOf(draft)) ?? new Set<number>();
    taken.set(cellOf(draft), known);
    return known;
  };
  for (const draft of drafts) if (draft.round !== null) of(draft).add(draft.round);
  return drafts.map((draft) => {
    if (draft.round !== null) return draft.round;
    const known = of(draft);
    let round = 1;
    while (known.has(round)) round += 1;
    known.add(round);
    return round;
  });
}

/** The logs as they are sent; null while one of them lacks a level. */
export function logsOf(drafts: readonly LogDraft[], varied: readonly Varied[]): ImportLog[] | null {
  const numbers = rounds(drafts, varied);
  const logs = drafts.map((draft, index): ImportLog | null => {
    const levels: Levels = {};
    for (const factor of varied) {
      const level = levelOf(draft, factor);
      if (level === undefined) return null;
      levels[factor.name] = level;
    }
    return { levels, round: numbers[index] ?? 1, stdout: draft.text };
  });
  return logs.every((log) => log !== null) ? logs : null;
}

/** "kernel: 6.1" by line; what has no colon is no fact. */
export function environmentOf(text: string): Record<string, string> {
  const facts = text.split("\n").flatMap((line): [string, string][] => {
    const colon = line.indexOf(":");
    const [name, value] = [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    return colon > 0 && name && value ? [[name, value]] : [];
  });
  return Object.fromEntries(facts);
}

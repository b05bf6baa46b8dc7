/** Sweeps as text: "1000..8000/1000" or "1..64*2". Pure; the server expands and validates them. */
import type { Level, LevelsField, Sweep } from "@/api/draft";

const PATTERN = /^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)(?:([/*])(\d+(?:\.\d+)?))?$/;
/** At most this many levels of a sweep are shown. */
const MOST = 1000;

export function isSweep(value: unknown): value is Sweep {
  return typeof value === "object" && value !== null && !Array.isArray(value) && "from" in value && "to" in value;
}

/** Parses "from..to/step" or "from..to*factor"; without either, the step is 1. */
export function parseSweep(text: string): Sweep | null {
  const found = PATTERN.exec(text.replaceAll(/\s/g, ""));
  if (!found) return null;
  const [from, to, by] = [Number(found[1]), Number(found[2]), found[4] === undefined ? 1 : Number(found[4])];
  if (![from, to, by].every(Number.isFinite)) return null;
  return found[3] === "*" ? { from, to, times: by } : { from, to, step: by };
}

export function formatSweep({ from, to, step, times }: Sweep): string {
  return times === undefined ? `${from}..${to}${step === undefined || step === 1 ? "" : `/${step}`}` : `${from}..${to}*${times}`;
}

/** Returns the levels of a sweep; none where it would not end, or where one of its parts is not a number. */
export function expanded({ from, to, step, times }: Sweep): number[] {
  if (![from, to, step ?? 1, times ?? 2].every((part) => typeof part === "number")) return [];
  const grows = times === undefined ? (step ?? 1) > 0 : times > 1 && from > 0;
  if (!grows) return [];
  const levels: number[] = [];
  for (let level = from; level <= to && levels.length < MOST; level = Number((times === undefined ? level + (step ?? 1) : level * times).toPrecision(12))) levels.push(level);
  return levels;
}

/** Returns the levels in a field of a document: a list, one level, or a sweep. */
export function levelsIn(value: LevelsField | null | undefined): Level[] {
  if (value === null || value === undefined) return [];
  if (isSweep(value)) return expanded(value);
  return Array.isArray(value) ? value : [value];
}

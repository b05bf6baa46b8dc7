/** Edits of an experiment document. Pure; a document from YAML may contain any value anywhere. */
import type { ExperimentDraft, Level, LevelsField, Sweep } from "@/api/draft";
import type { Factor } from "@/api/types";
import { formatSweep, isSweep, levelsIn, parseSweep } from "@/components/sweep";
import { defaultStopping } from "./stopping";

/** Returns a factor's value in the document: a list, one level, or a sweep. */
export function fieldOf(document: ExperimentDraft, factor: Factor): LevelsField | undefined {
  return (document.factors as Record<string, LevelsField | null> | null | undefined)?.[factor.name] ?? undefined;
}

/** Returns a factor's levels; sweeps are expanded, and a missing factor has its default. */
export function levelsOf(document: ExperimentDraft, factor: Factor): Level[] {
  const value = fieldOf(document, factor);
  return value === undefined ? [factor.default] : levelsIn(value);
}

/** Whether a factor has other levels than its single default. */
export function isSet(document: ExperimentDraft, factor: Factor): boolean {
  return !sameLevels(levelsOf(document, factor), [factor.default]);
}

/** Returns a factor's levels in the rules that add cells. */
export function includedLevels(document: ExperimentDraft, name: string): Level[] {
  return Array.isArray(document.include) ? document.include.flatMap((rule) => levelsIn(rule?.[name])) : [];
}

/** Returns the document with another value of one factor and no other change: what is compared stays what it is. */
export function withField(document: ExperimentDraft, factor: Factor, field: readonly Level[] | Sweep): ExperimentDraft {
  return { ...document, factors: { ...document.factors, [factor.name]: isSweep(field) ? field : [...field] } };
}

/** Returns the levels with one added or removed, in the order of the factor's choices. */
export function toggled(factor: Factor, levels: readonly Level[], level: Level): Level[] {
  const chosen = levels.includes(level) ? levels.filter((other) => other !== level) : [...levels, level];
  const known = factor.choices.filter((choice) => chosen.includes(choice));
  return [...known, ...chosen.filter((other) => !factor.choices.includes(other))];
}

/** Parses "1, 2 4" to [1, 2, 4]; other text is kept, for the server to refuse. */
export function parseList(text: string): Level[] {
  return text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(parseNumber);
}

/** Parses numbers separated by commas, or a sweep such as "1000..8000/1000". */
export function parseField(text: string): Level[] | Sweep {
  return parseSweep(text) ?? parseList(text);
}

export function formatField(value: readonly Level[] | Sweep): string {
  return isSweep(value) ? formatSweep(value) : formatList(value);
}

export function sameField(a: readonly Level[] | Sweep, b: readonly Level[] | Sweep): boolean {
  if (isSweep(a) || isSweep(b)) return isSweep(a) && isSweep(b) && formatSweep(a) === formatSweep(b);
  return sameLevels(a, b);
}

export function parseNumber(text: string): number | string {
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : text;
}

export function formatList(levels: readonly Level[]): string {
  return levels.map(String).join(", ");
}

/** The notation of an empty level among others. */
const UNSET = "-";

/** Parses texts separated by spaces, because a text may contain commas: "0-1 -" is ["0-1", ""]. Empty text is one empty level. */
export function parseWords(text: string): Level[] {
  const found = text.split(/[\s;]+/).filter(Boolean);
  return found.length === 0 ? [""] : found.map((word) => (word === UNSET ? "" : word));
}

export function formatWords(levels: readonly Level[]): string {
  if (levels.length === 1 && levels[0] === "") return "";
  return levels.map((level) => (level === "" ? UNSET : String(level))).join(" ");
}

const BLANK_NAME = "my-experiment";

/** The name that a title suggests: its ASCII letters and digits in lower case, joined by hyphens. */
export function nameOf(title: string): string {
  const words = title.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.join("-").slice(0, 63).replace(/-+$/, "") || BLANK_NAME;
}

/** Returns the document with another title, and with the name that it suggests unless somebody chose the name. */
export function withTitle(document: ExperimentDraft, title: string): ExperimentDraft {
  const isSuggested = document.name === nameOf(document.title) || document.name === BLANK_NAME;
  return { ...document, title, ...(isSuggested && { name: nameOf(title) }) };
}

export function sameLevels(a: readonly Level[], b: readonly Level[]): boolean {
  return a.length === b.length && a.every((level, index) => level === b[index]);
}

/** The factors that a new experiment names; all others have their default. */
const INITIAL_FACTORS = ["path", "userland_proxy", "tool", "service", "clients", "duration_s", "warm_up_s"];

/** The path and the number of clients of a new experiment. */
const INITIAL_PATH = "published_loopback";
const INITIAL_CLIENTS = 8;
const INITIAL_ROUNDS = 10;

/** Returns a new experiment: what docker-proxy costs on a published port, with as many rounds as the answer needs. */
export function blankDocument(factors: readonly Factor[]): ExperimentDraft {
  const path = factors.find((factor) => factor.name === "path");
  const named = factors.filter((factor) => INITIAL_FACTORS.includes(factor.name));
  return {
    api_version: "plimsoll/v1",
    name: BLANK_NAME,
    title: "My experiment",
    factors: {
      ...Object.fromEntries(named.map((factor) => [factor.name, [factor.default]])),
      ...(path?.choices.includes(INITIAL_PATH) && { path: [INITIAL_PATH] }),
      userland_proxy: [true, false],
      clients: [INITIAL_CLIENTS],
    },
    rounds: INITIAL_ROUNDS,
    stopping: defaultStopping(INITIAL_ROUNDS),
    compare: "userland_proxy",
    metrics: ["tps", "cpu_us_per_txn"],
    margin: 0.05,
  };
}

/** The question of an experiment: which cells are compared. The only file that reads and writes it in a document. Pure. */
import type { ExperimentDraft, Level, Levels } from "@/api/draft";
import type { Factor, Factors } from "@/api/types";
import { levelsOf } from "./document";
import { allLevels, applicable, comparesUnlike } from "./nesting";

export type Question =
  /** The levels of one factor with `against`, with everything else equal. */
  | { kind: "each"; factor: string; against: Level }
  /** All cells with one. */
  | { kind: "cell"; levels: Levels }
  /** Levels of some of the factors that vary, as a definition can name them. */
  | { kind: "some"; levels: Levels };

/** Why a document compares no longer what it did: levels that no cell has, or factors that do not vary any more. */
export type Lost = { kind: "gone"; levels: Levels } | { kind: "same" };

/** Levels that the others are compared with, of factors for which it is not the first one. */
const REFERENCES: Levels = { userland_proxy: false };

/** Returns the factors that have more than one level, in the order of the vocabulary. */
export function variedFactors(document: ExperimentDraft, vocabulary: Factors): Factor[] {
  return applicable(document, vocabulary).filter((factor) => allLevels(document, vocabulary, factor).length > 1);
}

/** Returns the level of a factor that its others are compared with unless somebody chooses another. */
function referenceOf(document: ExperimentDraft, vocabulary: Factors, factor: Factor): Level {
  const levels = allLevels(document, vocabulary, factor);
  const wanted = REFERENCES[factor.name];
  return wanted !== undefined && levels.includes(wanted) ? wanted : (levels[0] ?? factor.default);
}

function eachOf(document: ExperimentDraft, vocabulary: Factors, factor: Factor): Question {
  return { kind: "each", factor: factor.name, against: referenceOf(document, vocabulary, factor) };
}

/** Returns the question of a document that names none: userland-proxy on against off where it varies, then the first factor that varies. */
export function defaultQuestion(document: ExperimentDraft, vocabulary: Factors): Question | null {
  const varied = variedFactors(document, vocabulary);
  const other = varied.find(({ name }) => name !== "tool" && name !== "service");
  const factor = varied.find(({ name }) => name === "userland_proxy") ?? other ?? varied[0];
  return factor ? eachOf(document, vocabulary, factor) : null;
}

/** Returns the question that a document asks; null where it compares nothing, or something that is lost. */
export function questionOf(document: ExperimentDraft, vocabulary: Factors): Question | null {
  const levels = document.baseline;
  if (levels === undefined) return comparedFactor(document, vocabulary);
  if (lostIn(document, vocabulary)) return null;
  const varied = variedFactors(document, vocabulary);
  const named = varied.filter(({ name }) => levels[name] !== undefined);
  const [first] = named;
  const against = first && levels[first.name];
  if (first === undefined || against === undefined) return null;
  const isReference = against === referenceOf(document, vocabulary, first);
  if (named.length === 1 && (varied.length > 1 || isReference)) {
    return { kind: "each", factor: first.name, against };
  }
  const whole = cellOf(document, vocabulary, levels);
  const isWhole = Object.keys(whole).every((name) => levels[name] !== undefined);
  return { kind: isWhole ? "cell" : "some", levels: only(levels, named) };
}

/** Returns the question of a document with `compare`, or with neither. */
function comparedFactor(document: ExperimentDraft, vocabulary: Factors): Question | null {
  const varied = variedFactors(document, vocabulary);
  const factor = varied.find(({ name }) => name === document.compare);
  return factor ? eachOf(document, vocabulary, factor) : defaultQuestion(document, vocabulary);
}

/** Returns the questions that a document can ask, and that its page offers. */
export function offeredQuestions(document: ExperimentDraft, vocabulary: Factors): Question[] {
  const varied = variedFactors(document, vocabulary);
  const first = varied.filter(({ name }) => name === "userland_proxy");
  const factors = [...first, ...varied.filter(({ name }) => name !== "userland_proxy")];
  const current = questionOf(document, vocabulary);
  const own = current?.kind === "each" ? current : null;
  const each = factors
    .filter((factor) => !isUnlike(document, vocabulary, factor))
    .map((factor) => (own?.factor === factor.name ? own : eachOf(document, vocabulary, factor)));
  const levels = current?.kind === "cell" ? current.levels : cellOf(document, vocabulary, {});
  const cell: Question[] = varied.length > 0 ? [{ kind: "cell", levels }] : [];
  return [...each, ...cell, ...(current?.kind === "some" ? [current] : [])];
}

/** Whether the levels of a factor are loads whose rates cannot be compared. */
function isUnlike(document: ExperimentDraft, vocabulary: Factors, { name }: Factor): boolean {
  const tools = vocabulary.factors.find((each) => each.name === "tool");
  const isLoad = name === "tool" || name === "service";
  return isLoad && tools !== undefined && comparesUnlike(levelsOf(document, tools)[0], document, vocabulary);
}

/** Returns one cell: the wanted level of each factor that varies, else the one that others are compared with. A factor that does not apply to the cell has none. */
export function cellOf(document: ExperimentDraft, vocabulary: Factors, wanted: Levels): Levels {
  const varied = new Set(variedFactors(document, vocabulary));
  const found: Levels = {};
  const cell = new Map<string, Level>();
  for (const factor of applicable(document, vocabulary)) {
    const levels = allLevels(document, vocabulary, factor);
    const applies = factor.needs.every(({ factor: name, levels: needed }) => {
      const level = cell.get(name);
      return level !== undefined && needed.includes(level);
    });
    if (!applies) continue;
    const level = wanted[factor.name];
    const isOffered = level !== undefined && levels.includes(level);
    const chosen = isOffered ? level : (levels[0] ?? factor.default);
    cell.set(factor.name, chosen);
    if (varied.has(factor) && !isUnlike(document, vocabulary, factor)) found[factor.name] = chosen;
  }
  return found;
}

/** Returns the document with another question: the factor whose levels are compared, or the levels that others are compared with. */
export function withQuestion(document: ExperimentDraft, vocabulary: Factors, question: Question): ExperimentDraft {
  const next = { ...document };
  delete next.baseline;
  delete next.compare;
  if (question.kind === "cell") return { ...next, baseline: cellOf(document, vocabulary, question.levels) };
  if (question.kind === "some") return { ...next, baseline: question.levels };
  const factor = vocabulary.factors.find(({ name }) => name === question.factor);
  const isReference = factor !== undefined && question.against === referenceOf(document, vocabulary, factor);
  return isReference ? { ...next, compare: question.factor } : withAgainst(next, question.factor, question.against);
}

function withAgainst(document: ExperimentDraft, factor: string, against: Level): ExperimentDraft {
  return { ...document, baseline: { [factor]: against } };
}

/** Returns the document with one way to say what is compared, which the server knows as both: the factor, where it names one. */
export function withOneQuestion(document: ExperimentDraft, vocabulary: Factors): ExperimentDraft {
  if (document.baseline !== undefined && document.compare == null) return document;
  const asking = { ...document };
  if (document.compare != null) delete asking.baseline;
  const question = questionOf(asking, vocabulary);
  return question ? withQuestion(asking, vocabulary, question) : document;
}

/**
 * Returns a changed document that compares what it did before. A document that names a factor names it still while that
 * means the same level; otherwise it names the level, so that the page asks where no cell has that any more.
 */
export function keepingQuestion(
  document: ExperimentDraft,
  vocabulary: Factors,
  change: (document: ExperimentDraft) => ExperimentDraft,
): ExperimentDraft {
  const question = questionOf(document, vocabulary);
  if (document.baseline !== undefined || question?.kind !== "each") return change(document);
  const named = { ...document };
  delete named.compare;
  const next = change(withAgainst(named, question.factor, question.against));
  const kept = questionOf(next, vocabulary);
  return kept?.kind === "each" && kept.factor === question.factor ? withQuestion(next, vocabulary, kept) : next;
}

/** Whether two questions are the same choice of a list, whatever the cell is. */
export function isSameChoice(a: Question | null, b: Question): boolean {
  if (a === null || a.kind !== b.kind) return false;
  return a.kind !== "each" || b.kind !== "each" || a.factor === b.factor;
}

/** Returns what the document's question lost by a change of the levels; null where it can still be compared. */
export function lostIn(document: ExperimentDraft, vocabulary: Factors): Lost | null {
  const levels = document.baseline;
  if (levels === undefined || levels === null || typeof levels !== "object") return null;
  const factors = applicable(document, vocabulary);
  const known = new Set(vocabulary.factors.map(({ name }) => name));
  const gone = Object.entries(levels).filter(([name, level]) => {
    const factor = factors.find((each) => each.name === name);
    if (!factor) return known.has(name);
    return !allLevels(document, vocabulary, factor).includes(level);
  });
  if (gone.length > 0) return { kind: "gone", levels: Object.fromEntries(gone) };
  const varied = variedFactors(document, vocabulary);
  const compares = varied.some(({ name }) => levels[name] !== undefined);
  return varied.length > 0 && !compares ? { kind: "same" } : null;
}

function only(levels: Levels, factors: readonly Factor[]): Levels {
  const entries = factors.flatMap(({ name }) => {
    const level = levels[name];
    return level === undefined ? [] : [[name, level] as const];
  });
  return Object.fromEntries(entries);
}

/** Nested factors: which make sense beside the chosen levels, and the document kept to those. Pure. */
import type { ExperimentDraft, Level, Rule, Sweep } from "@/api/draft";
import type { MetricChoice } from "@/api/generated";
import type { Factor, Factors } from "@/api/types";
import { isSweep, levelsIn } from "@/components/sweep";
import { fieldOf, includedLevels, levelsOf, withLevels } from "./document";

/** Those whose needs the levels of the others meet, in the order of the vocabulary. */
function beside(factors: readonly Factor[], levelsFor: (factor: Factor) => Level[]): Factor[] {
  const kept = new Map<string, Level[]>();
  // A factor is listed after those that it needs: one pass is enough.
  for (const factor of factors)
    if (factor.needs.every((need) => kept.get(need.factor)?.some((level) => need.levels.includes(level)))) kept.set(factor.name, levelsFor(factor));
  return factors.filter((factor) => kept.has(factor.name));
}

/** A factor's levels in the product and in what the rules of `include` add to it; a tool added there brings its service. */
export function everyLevel(document: ExperimentDraft, vocabulary: Factors, factor: Factor): Level[] {
  const own = levelsOf(document, factor);
  const rules = Array.isArray(document.include) ? document.include : [];
  const brought = factor.name === "service" ? rules.flatMap((rule) => (rule?.["service"] === undefined ? fittingServices(vocabulary, levelsIn(rule?.["tool"]), own) : [])) : [];
  return [...new Set([...own, ...includedLevels(document, factor.name), ...brought])];
}

/** The factors that make sense beside at least one level of some cell, added cells included. */
export function applicable(document: ExperimentDraft, vocabulary: Factors): Factor[] {
  return beside(vocabulary.factors, (factor) => everyLevel(document, vocabulary, factor));
}

/** The factors that the form offers: beside the chosen levels, and what the document names for added cells. */
export function offered(document: ExperimentDraft, vocabulary: Factors): Factor[] {
  const own = new Set(beside(vocabulary.factors, (factor) => levelsOf(document, factor)));
  return applicable(document, vocabulary).filter((factor) => own.has(factor) || fieldOf(document, factor) !== undefined);
}

/** The metrics that at least one of the tools reports, those of added cells included. */
export function yielded(document: ExperimentDraft, vocabulary: Factors): MetricChoice[] {
  const tools = toolsOf(document, vocabulary);
  return vocabulary.metrics.filter((metric) => tools.length === 0 || metric.tools.some((tool) => tools.includes(tool)));
}

function toolsOf(document: ExperimentDraft, vocabulary: Factors): Level[] {
  const tool = vocabulary.factors.find(({ name }) => name === "tool");
  return tool ? everyLevel(document, vocabulary, tool) : [];
}

function chosen(document: ExperimentDraft, factors: readonly Factor[], name: string): Level[] {
  const factor = factors.find((each) => each.name === name);
  return factor ? levelsOf(document, factor) : [];
}

/** Services that every tool has one of: those chosen that still fit, and the usual one of a tool without any. */
function fittingServices({ tools: known }: Factors, tools: readonly Level[], services: readonly Level[]): Level[] {
  const of = (tool: Level) => known.find(({ name }) => name === tool)?.services ?? [];
  const kept = services.filter((service) => tools.some((tool) => of(tool).includes(String(service))));
  const missing = tools.flatMap((tool) => {
    const fitting = of(tool);
    return fitting.some((service) => kept.includes(service)) ? [] : fitting.slice(0, 1);
  });
  return [...new Set([...kept, ...missing])];
}

/** The chosen metrics that can still be had, and those that are unknown; a tool's own rate takes the place of one that left. */
function repairedMetrics(metrics: readonly string[], document: ExperimentDraft, vocabulary: Factors): string[] {
  const had = new Set(yielded(document, vocabulary).map((metric) => metric.name));
  const kept = metrics.filter((name) => had.has(name) || !vocabulary.metrics.some((metric) => metric.name === name));
  const rates = toolsOf(document, vocabulary).flatMap((tool) => vocabulary.tools.find(({ name }) => name === tool)?.rate ?? []);
  const lost = kept.length < metrics.length || kept.length === 0;
  const wanted = lost ? [...new Set(rates)].filter((rate) => had.has(rate) && !kept.includes(rate)) : [];
  return [...wanted, ...kept];
}

type Left = (name: string, level: Level) => boolean;

/** Which levels were there before the change and are not any more. */
function leftBetween(before: ExperimentDraft, after: ExperimentDraft, vocabulary: Factors): Left {
  const [had, has] = [before, after].map((document) => new Map(applicable(document, vocabulary).map((factor) => [factor.name, levelsOf(document, factor)])));
  return (name, level) => had?.get(name)?.includes(level) === true && !has?.get(name)?.includes(level);
}

/** A rule without the levels that left; null where it no longer excludes anything. The server validates levels that never existed. */
function repairedRule(rule: Rule, left: Left): Rule | null {
  const kept: Rule = {};
  for (const [name, value] of Object.entries(rule ?? {})) {
    const levels = isSweep(value) ? [] : levelsIn(value);
    const stay = levels.filter((level) => !left(name, level));
    if (stay.length === 0 && levels.length > 0) return null;
    kept[name] = stay.length < levels.length ? stay : value;
  }
  return kept;
}

/** Tools count different things: with several of them a cell is compared with one of its own tool. */
function comparesUnlike(tool: Level | undefined, document: ExperimentDraft, { factors, tools }: Factors): boolean {
  const rate = (name: Level | undefined) => tools.find((each) => each.name === name)?.rate;
  return tool !== undefined && chosen(document, factors, "tool").some((other) => rate(other) !== rate(tool));
}

/** The document after a change, without what went with it: factors, baseline levels, rules and metrics follow the levels. */
export function repaired(document: ExperimentDraft, vocabulary: Factors, before: ExperimentDraft = document): ExperimentDraft {
  const kept = applicable(document, vocabulary);
  const known = new Set(vocabulary.factors.map((factor) => factor.name));
  const stays = (name: string) => !known.has(name) || kept.some((factor) => factor.name === name);
  const only = <T>(values: Record<string, T> | undefined) => Object.fromEntries(Object.entries(values ?? {}).filter(([name]) => stays(name)));
  const baseline = only(document.baseline);
  if (comparesUnlike(baseline["tool"], document, vocabulary)) delete baseline["tool"];
  const [first] = kept;
  const left = leftBetween(before, document, vocabulary);
  const rules = Array.isArray(document.exclude) ? document.exclude.map((rule) => repairedRule(rule, left)).filter((rule) => rule !== null) : null;
  return {
    ...document,
    factors: only(document.factors),
    baseline: Object.keys(baseline).length === 0 && first ? { [first.name]: levelsOf(document, first)[0] ?? first.default } : baseline,
    ...(Array.isArray(document.metrics) && { metrics: repairedMetrics(document.metrics, document, vocabulary) }),
    ...(rules && { exclude: rules }),
  };
}

/** The document with the service that follows from its tool where it names none. */
export function withService(document: ExperimentDraft, factors: Factors): ExperimentDraft {
  const named: unknown = (document.factors as Record<string, unknown> | null | undefined)?.["service"];
  if (named !== undefined && named !== null) return document;
  return { ...document, factors: { ...document.factors, service: fittingServices(factors, chosen(document, factors.factors, "tool"), []) } };
}

/** Other levels of one factor, chosen by a press and not typed, with everything that hangs on them: another tool brings a service that it can load. */
export function changed(document: ExperimentDraft, factors: Factors, factor: Factor, field: readonly Level[] | Sweep): ExperimentDraft {
  let next = withLevels(document, factor, field);
  const levels = levelsOf(next, factor);
  const service = factors.factors.find((each) => each.name === "service");
  if (factor.name === "tool" && service && levels.length > 0) next = withLevels(next, service, fittingServices(factors, levels, levelsOf(next, service)));
  return levels.length > 0 ? repaired(next, factors, document) : next;
}

/** Nested factors: which apply to the chosen levels, and the removal of what no longer applies. Pure. */
import type { ExperimentDraft, Level, Levels, Rule, Sweep } from "@/api/draft";
import type { MetricChoice } from "@/api/generated";
import type { Factor, Factors } from "@/api/types";
import { isSweep, levelsIn } from "@/components/sweep";
import { fieldOf, includedLevels, levelsOf, withField } from "./document";

/** Returns the factors whose needs are met by levels of the others, in the order of the vocabulary. */
function applicableTo(factors: readonly Factor[], levelsFor: (factor: Factor) => Level[]): Factor[] {
  const kept = new Map<string, Level[]>();
  // The vocabulary lists a factor after those that it needs, so one pass is enough.
  for (const factor of factors)
    if (factor.needs.every((need) => kept.get(need.factor)?.some((level) => need.levels.includes(level)))) kept.set(factor.name, levelsFor(factor));
  return factors.filter((factor) => kept.has(factor.name));
}

/** Returns a factor's levels in all cells, including those added by `include`; a tool that is added there also adds its service. */
export function allLevels(document: ExperimentDraft, vocabulary: Factors, factor: Factor): Level[] {
  const own = levelsOf(document, factor);
  const rules = Array.isArray(document.include) ? document.include : [];
  const services = factor.name === "service" ? rules.flatMap((rule) => (rule?.["service"] === undefined ? fittingServices(vocabulary, levelsIn(rule?.["tool"]), own) : [])) : [];
  return [...new Set([...own, ...includedLevels(document, factor.name), ...services])];
}

/** Returns the factors that apply to at least one cell, added cells included. */
export function applicable(document: ExperimentDraft, vocabulary: Factors): Factor[] {
  return applicableTo(vocabulary.factors, (factor) => allLevels(document, vocabulary, factor));
}

/** Returns the factors that the form shows: those that apply to the chosen levels, and those that the document names for added cells. */
export function offered(document: ExperimentDraft, vocabulary: Factors): Factor[] {
  const own = new Set(applicableTo(vocabulary.factors, (factor) => levelsOf(document, factor)));
  return applicable(document, vocabulary).filter((factor) => own.has(factor) || fieldOf(document, factor) !== undefined);
}

/** Returns the metrics that at least one tool reports, including the tools of added cells. */
export function reportedMetrics(document: ExperimentDraft, vocabulary: Factors): MetricChoice[] {
  const tools = toolsOf(document, vocabulary);
  return vocabulary.metrics.filter((metric) => tools.length === 0 || metric.tools.some((tool) => tools.includes(tool)));
}

function toolsOf(document: ExperimentDraft, vocabulary: Factors): Level[] {
  const tool = vocabulary.factors.find(({ name }) => name === "tool");
  return tool ? allLevels(document, vocabulary, tool) : [];
}

function chosen(document: ExperimentDraft, factors: readonly Factor[], name: string): Level[] {
  const factor = factors.find((each) => each.name === name);
  return factor ? levelsOf(document, factor) : [];
}

/** Returns the chosen services that a tool supports, and the default service of each tool that has none among them. */
function fittingServices({ tools: known }: Factors, tools: readonly Level[], services: readonly Level[]): Level[] {
  const of = (tool: Level) => known.find(({ name }) => name === tool)?.services ?? [];
  const kept = services.filter((service) => tools.some((tool) => of(tool).includes(String(service))));
  const missing = tools.flatMap((tool) => {
    const fitting = of(tool);
    return fitting.some((service) => kept.includes(service)) ? [] : fitting.slice(0, 1);
  });
  return [...new Set([...kept, ...missing])];
}

/** Returns the chosen metrics that are still reported, and unknown ones; the tools' rates replace removed metrics. */
function repairedMetrics(metrics: readonly string[], document: ExperimentDraft, vocabulary: Factors): string[] {
  const had = new Set(reportedMetrics(document, vocabulary).map((metric) => metric.name));
  const kept = metrics.filter((name) => had.has(name) || !vocabulary.metrics.some((metric) => metric.name === name));
  const rates = toolsOf(document, vocabulary).flatMap((tool) => vocabulary.tools.find(({ name }) => name === tool)?.rate ?? []);
  const lost = kept.length < metrics.length || kept.length === 0;
  const wanted = lost ? [...new Set(rates)].filter((rate) => had.has(rate) && !kept.includes(rate)) : [];
  return [...wanted, ...kept];
}

type Removed = (name: string, level: Level) => boolean;

/** Returns a test for levels that a change removed. */
function removedBetween(before: ExperimentDraft, after: ExperimentDraft, vocabulary: Factors): Removed {
  const [had, has] = [before, after].map((document) => new Map(applicable(document, vocabulary).map((factor) => [factor.name, levelsOf(document, factor)])));
  return (name, level) => had?.get(name)?.includes(level) === true && !has?.get(name)?.includes(level);
}

/** Returns a rule without removed levels; null where it no longer excludes anything. Unknown levels are kept for the server to refuse. */
function repairedRule(rule: Rule, removed: Removed): Rule | null {
  const kept: Rule = {};
  for (const [name, value] of Object.entries(rule ?? {})) {
    const levels = isSweep(value) ? [] : levelsIn(value);
    const remaining = levels.filter((level) => !removed(name, level));
    if (remaining.length === 0 && levels.length > 0) return null;
    kept[name] = remaining.length < levels.length ? remaining : value;
  }
  return kept;
}

/** Whether a baseline with this tool would be compared with tools that report other rates. */
export function comparesUnlike(tool: Level | undefined, document: ExperimentDraft, { factors, tools }: Factors): boolean {
  const rate = (name: Level | undefined) => tools.find((each) => each.name === name)?.rate;
  return tool !== undefined && chosen(document, factors, "tool").some((other) => rate(other) !== rate(tool));
}

/**
 * Returns the baseline without levels of factors that no longer apply, and without a tool that others cannot be compared with.
 * The last level stays even then: the page asks what is compared instead.
 */
function repairedBaseline(document: ExperimentDraft, vocabulary: Factors, applies: (name: string) => boolean): Levels | undefined {
  const { baseline } = document;
  if (baseline === undefined || baseline === null || typeof baseline !== "object") return baseline;
  const isUnlike = comparesUnlike(baseline["tool"], document, vocabulary);
  const kept = Object.entries(baseline).filter(([name]) => applies(name) && !(name === "tool" && isUnlike));
  return kept.length === 0 ? baseline : Object.fromEntries(kept);
}

/** Returns the document without factors, baseline levels, rules and metrics that no longer apply after a change. */
export function repaired(document: ExperimentDraft, vocabulary: Factors, before: ExperimentDraft = document): ExperimentDraft {
  const kept = applicable(document, vocabulary);
  const known = new Set(vocabulary.factors.map((factor) => factor.name));
  const applies = (name: string) => !known.has(name) || kept.some((factor) => factor.name === name);
  const removed = removedBetween(before, document, vocabulary);
  const rules = Array.isArray(document.exclude) ? document.exclude.map((rule) => repairedRule(rule, removed)).filter((rule) => rule !== null) : null;
  const baseline = repairedBaseline(document, vocabulary, applies);
  return {
    ...document,
    factors: Object.fromEntries(Object.entries(document.factors ?? {}).filter(([name]) => applies(name))),
    ...(baseline !== undefined && { baseline }),
    ...(Array.isArray(document.metrics) && { metrics: repairedMetrics(document.metrics, document, vocabulary) }),
    ...(rules && { exclude: rules }),
  };
}

/** Returns the document with the services of its tools where it names none. */
export function withService(document: ExperimentDraft, factors: Factors): ExperimentDraft {
  const named: unknown = (document.factors as Record<string, unknown> | null | undefined)?.["service"];
  if (named !== undefined && named !== null) return document;
  return { ...document, factors: { ...document.factors, service: fittingServices(factors, chosen(document, factors.factors, "tool"), []) } };
}

/** Returns the document with other levels of one factor, adapted to them: services fit the tools, and what no longer applies is removed. */
export function withChosenLevels(document: ExperimentDraft, factors: Factors, factor: Factor, field: readonly Level[] | Sweep): ExperimentDraft {
  let next = withField(document, factor, field);
  const levels = levelsOf(next, factor);
  const service = factors.factors.find((each) => each.name === "service");
  if (factor.name === "tool" && service && levels.length > 0) next = withField(next, service, fittingServices(factors, levels, levelsOf(next, service)));
  return levels.length > 0 ? repaired(next, factors, document) : next;
}

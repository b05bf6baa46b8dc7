/** Nested factors: which make sense beside the chosen levels, and the document kept to those. Pure. */
import type { ExperimentDocument, Factor, Factors, Level, Metric, Rule, Sweep } from "@/api/types";
import { levelsOf, withLevels } from "./document";

/** The factors that make sense beside at least one of the chosen levels, in the order of the vocabulary. */
export function applicable(document: ExperimentDocument, factors: readonly Factor[]): Factor[] {
  const kept = new Map<string, Level[]>();
  // A factor stands after those that it needs: one pass is enough.
  for (const factor of factors)
    if (factor.needs.every((need) => kept.get(need.factor)?.some((level) => need.levels.includes(level)))) kept.set(factor.name, levelsOf(document, factor));
  return factors.filter((factor) => kept.has(factor.name));
}

/** The metrics that at least one of the chosen tools yields. */
export function yielded(document: ExperimentDocument, { factors, metrics }: Factors): Metric[] {
  const tools = chosen(document, factors, "tool");
  return metrics.filter((metric) => tools.length === 0 || metric.tools.some((tool) => tools.includes(tool)));
}

function chosen(document: ExperimentDocument, factors: readonly Factor[], name: string): Level[] {
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

/** The chosen metrics that can still be had; a tool's own rate takes the place of one that left. */
function repairedMetrics(metrics: readonly string[], document: ExperimentDocument, factors: Factors): string[] {
  const offered = new Set(yielded(document, factors).map((metric) => metric.name));
  const kept = metrics.filter((name) => offered.has(name));
  const rates = chosen(document, factors.factors, "tool").flatMap((tool) => factors.tools.find(({ name }) => name === tool)?.rate ?? []);
  const lost = kept.length < metrics.length || kept.length === 0;
  const wanted = lost ? [...new Set(rates)].filter((rate) => offered.has(rate) && !kept.includes(rate)) : [];
  return [...wanted, ...kept];
}

/** A rule without the levels that left; null where it no longer excludes anything. */
function repairedRule(rule: Rule, document: ExperimentDocument, factors: readonly Factor[]): Rule | null {
  const kept: Rule = {};
  for (const [name, value] of Object.entries(rule)) {
    const factor = factors.find((each) => each.name === name);
    if (!factor) return null;
    const levels = levelsOf(document, factor);
    const named = (Array.isArray(value) ? value : [value]).filter((level) => levels.includes(level));
    if (named.length === 0) return null;
    kept[name] = named;
  }
  return kept;
}

/** The document without what does not apply: factors, baseline levels, rules and metrics follow the levels. */
export function repaired(document: ExperimentDocument, factors: Factors): ExperimentDocument {
  const kept = applicable(document, factors.factors);
  const known = new Set(factors.factors.map((factor) => factor.name));
  const stays = (name: string) => !known.has(name) || kept.some((factor) => factor.name === name);
  const only = <T>(values: Record<string, T> | undefined) => Object.fromEntries(Object.entries(values ?? {}).filter(([name]) => stays(name)));
  const baseline = only(document.baseline);
  // Tools count different things: with several of them a cell is compared with one of its own tool.
  if (chosen(document, factors.factors, "tool").length > 1) delete baseline["tool"];
  const [first] = kept;
  const rules = document.exclude?.map((rule) => repairedRule(rule, document, kept)).filter((rule) => rule !== null);
  return {
    ...document,
    factors: only(document.factors),
    baseline: Object.keys(baseline).length === 0 && first ? { [first.name]: levelsOf(document, first)[0] ?? first.default } : baseline,
    ...(document.metrics && { metrics: repairedMetrics(document.metrics, document, factors) }),
    ...(rules && { exclude: rules }),
  };
}

/** The document with the service that follows from its tool where it names none. */
export function withService(document: ExperimentDocument, factors: Factors): ExperimentDocument {
  const named: unknown = (document.factors as Record<string, unknown> | null | undefined)?.["service"];
  if (named !== undefined && named !== null) return document;
  return { ...document, factors: { ...document.factors, service: fittingServices(factors, chosen(document, factors.factors, "tool"), []) } };
}

/** Other levels of one factor, with everything that hangs on them: another tool brings a service that it can load. */
export function changed(document: ExperimentDocument, factors: Factors, factor: Factor, field: readonly Level[] | Sweep): ExperimentDocument {
  let next = withLevels(document, factor, field);
  const levels = levelsOf(next, factor);
  const service = factors.factors.find((each) => each.name === "service");
  if (factor.name === "tool" && service && levels.length > 0) next = withLevels(next, service, fittingServices(factors, levels, levelsOf(next, service)));
  return levels.length > 0 ? repaired(next, factors) : next;
}

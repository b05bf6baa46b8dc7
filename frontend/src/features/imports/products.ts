/** The levels of each factor in all cells of an experiment, completed as on the server. Pure. */
import type { ExperimentDraft, Level, LevelsField } from "@/api/draft";
import type { Factor, Factors } from "@/api/types";
import { levelsIn } from "@/components/sweep";

export interface KnownFactor {
  name: string;
  levels: Level[];
  /** The levels of other factors that it needs; null where they are not known. */
  needs: Factor["needs"] | null;
  /** The levels that each tool supports; null for factors that do not depend on the tool. */
  byTool: ReadonlyMap<Level, readonly Level[]> | null;
}

type Axes = Record<string, Level[]>;

function axesOf(written: unknown): Axes {
  const fields = Object.entries((written ?? {}) as Record<string, LevelsField | null>);
  return Object.fromEntries(fields.map(([name, value]) => [name, levelsIn(value)] as const).filter(([, levels]) => levels.length > 0));
}

function servicesOf({ tools }: Factors, tool: Level): Level[] {
  return tools.find(({ name }) => name === tool)?.services ?? [];
}

/** Returns the levels of a factor that the definition does not name: its default, or the default services of the tools. */
function defaultLevels(factor: Factor, axes: Axes, vocabulary: Factors): Level[] {
  const services = factor.name === "service" ? (axes["tool"] ?? []).flatMap((tool) => servicesOf(vocabulary, tool).slice(0, 1)) : [];
  return services.length > 0 ? [...new Set(services)] : [factor.default];
}

/** Returns the named factors and all others that apply to some cell. */
function completed(named: Axes, vocabulary: Factors): Axes {
  const axes: Axes = {};
  for (const factor of vocabulary.factors) {
    const own = named[factor.name];
    if (own) axes[factor.name] = own;
    else if (factor.needs.every((need) => axes[need.factor]?.some((level) => need.levels.includes(level)))) axes[factor.name] = defaultLevels(factor, axes, vocabulary);
  }
  return { ...axes, ...named };
}

/** Returns the product of a rule that adds cells, with services that its tools support. */
function included(own: Axes, rule: Axes, vocabulary: Factors): Axes {
  const merged: Axes = { ...own, ...rule };
  const { tool: tools, service: named } = rule;
  if (tools && !named) {
    const fitting = (own["service"] ?? []).filter((service) => tools.some((tool) => servicesOf(vocabulary, tool).includes(service)));
    if (fitting.length > 0) merged["service"] = fitting;
    else delete merged["service"];
  }
  return completed(merged, vocabulary);
}

function products(document: ExperimentDraft, vocabulary: Factors | undefined): Axes[] {
  const named = axesOf(document.factors);
  const rules = Array.isArray(document.include) ? document.include.map(axesOf) : [];
  if (!vocabulary) return [named, ...rules.map((rule) => ({ ...named, ...rule }))];
  const own = completed(named, vocabulary);
  return [own, ...rules.map((rule) => included(own, rule, vocabulary))];
}

/** Returns all factors with the levels of all cells; without the vocabulary, those that the definition names. */
export function factorsOf(document: ExperimentDraft, vocabulary: Factors | undefined): KnownFactor[] {
  const axes = products(document, vocabulary);
  const names = new Set([...(vocabulary?.factors.map(({ name }) => name) ?? []), ...axes.flatMap(Object.keys)]);
  return [...names].map((name) => ({
    name,
    levels: [...new Set(axes.flatMap((each) => each[name] ?? []))],
    needs: vocabulary?.factors.find((factor) => factor.name === name)?.needs ?? null,
    byTool: vocabulary && name === "service" ? new Map(vocabulary.tools.map((tool) => [tool.name, tool.services])) : null,
  }));
}

/** Returns the factors with several levels: those that distinguish logs. */
export function variedIn(factors: readonly KnownFactor[]): KnownFactor[] {
  return factors.filter(({ levels }) => levels.length > 1);
}

/** Which levels each factor has in an experiment, those of added cells included; as the server completes a definition. Pure. */
import type { ExperimentDraft, Level, LevelsField } from "@/api/draft";
import type { Factor, Factors } from "@/api/types";
import { levelsIn } from "@/components/sweep";

export interface KnownFactor {
  name: string;
  levels: Level[];
  /** Beside which levels it applies; null where that is not known. */
  needs: Factor["needs"] | null;
  /** Which of the levels each tool can be used with, where it is about that. */
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

/** What a factor has that the definition does not name: its default; of the service, the first of each tool. */
function usual(factor: Factor, axes: Axes, vocabulary: Factors): Level[] {
  const services = factor.name === "service" ? (axes["tool"] ?? []).flatMap((tool) => servicesOf(vocabulary, tool).slice(0, 1)) : [];
  return services.length > 0 ? [...new Set(services)] : [factor.default];
}

/** The named factors, and every other one that applies to some cell. */
function completed(named: Axes, vocabulary: Factors): Axes {
  const axes: Axes = {};
  for (const factor of vocabulary.factors) {
    const own = named[factor.name];
    if (own) axes[factor.name] = own;
    else if (factor.needs.every((need) => axes[need.factor]?.some((level) => need.levels.includes(level)))) axes[factor.name] = usual(factor, axes, vocabulary);
  }
  return { ...axes, ...named };
}

/** The product that a rule adds: services that none of its tools can load give way. */
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

/** Every factor with every level that some cell has; without the vocabulary, what the definition alone says. */
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

/** The factors of which a log must say its level. */
export function variedIn(factors: readonly KnownFactor[]): KnownFactor[] {
  return factors.filter(({ levels }) => levels.length > 1);
}

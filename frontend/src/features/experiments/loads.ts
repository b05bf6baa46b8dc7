/** Loads: a tool, the service that it loads and, for pgbench, its script, chosen as one. Pure. */
import type { ExperimentDraft, Level } from "@/api/draft";
import type { Factor, Factors } from "@/api/types";
import { levelsOf, withField } from "./document";
import { withChosenLevels } from "./nesting";

export interface Load {
  tool: string;
  service: string;
  script: string | null;
}

/** The factors that a load sets. */
export const LOAD_FACTORS = ["tool", "service", "script"] as const;

/** Names of services as their projects write them. */
const SERVICES: Record<string, string> = { postgres: "PostgreSQL", pong: "pong (Go)", flask: "Flask (Python)", iperf3_server: "iperf3" };
const SCRIPTS: Record<string, string> = { tpcb_like: "TPC-B-like" };

function factorOf(vocabulary: Factors, name: string): Factor | undefined {
  return vocabulary.factors.find((factor) => factor.name === name);
}

/** Returns whether the levels of a load let the factor `script` apply. */
function scriptsOf(vocabulary: Factors, tool: string): (string | null)[] {
  const script = factorOf(vocabulary, "script");
  const applies = script?.needs.every((need) => need.factor !== "tool" || need.levels.includes(tool)) ?? false;
  return applies && script ? script.choices.map(String) : [null];
}

/** Returns every load, by tool. */
export function loadsOf(vocabulary: Factors): Load[] {
  return vocabulary.tools.flatMap(({ name: tool, services }) =>
    services.flatMap((service) => scriptsOf(vocabulary, tool).map((script) => ({ tool, service, script }))),
  );
}

/** Formats a load: "pgbench select-only → PostgreSQL". */
export function formatLoad({ tool, service, script }: Load): string {
  const words = [tool, ...(script === null ? [] : [SCRIPTS[script] ?? script.replaceAll("_", "-")])];
  return `${words.join(" ")} → ${serviceName(service)}`;
}

export function serviceName(service: string): string {
  return SERVICES[service] ?? service;
}

/** Returns the id of a load among all of them. */
export function loadId({ tool, service, script }: Load): string {
  return [tool, service, ...(script === null ? [] : [script])].join(" ");
}

/** Returns the load of a document; null where it has several, or one that is unknown. */
export function loadOf(document: ExperimentDraft, vocabulary: Factors): Load | null {
  const one = (name: string): Level | null => {
    const factor = factorOf(vocabulary, name);
    const levels = factor ? levelsOf(document, factor) : [];
    return levels.length === 1 ? (levels[0] ?? null) : null;
  };
  const [tool, service, script] = LOAD_FACTORS.map(one);
  return (
    loadsOf(vocabulary).find(
      (load) => load.tool === tool && load.service === service && (load.script === null || load.script === script),
    ) ?? null
  );
}

/** Returns the document with another load, adapted to it. */
export function withLoad(document: ExperimentDraft, vocabulary: Factors, load: Load): ExperimentDraft {
  const [tool, service, script] = LOAD_FACTORS.map((name) => factorOf(vocabulary, name));
  let next = document;
  if (tool) next = withChosenLevels(next, vocabulary, tool, [load.tool]);
  if (service) next = withChosenLevels(next, vocabulary, service, [load.service]);
  if (script && load.script !== null) next = withField(next, script, [load.script]);
  return next;
}

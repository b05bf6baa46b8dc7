/** The groups of factors in the form. Pure. */
import type { Factor } from "@/api/types";

export interface FactorGroup {
  title: string;
  /** Always shown. */
  first: Factor[];
  /** Shown on demand. */
  more: Factor[];
}

const TITLES = ["Path", "Tool and service", "Service settings", "Reverse proxy", "Limits", "Time"] as const;
const FIRST = new Set(["path", "userland_proxy", "tool", "service", "clients", "threads", "script", "duration_s", "warm_up_s"]);

function title({ name, scope }: Factor): (typeof TITLES)[number] {
  switch (scope) {
    case "path":
      return "Path";
    case "tool":
      return "Tool and service";
    // The service is chosen with the tool; its settings form a separate group.
    case "service":
      return name === "service" ? "Tool and service" : "Service settings";
    case "front":
      return "Reverse proxy";
    case "limits":
      return "Limits";
    case "time":
      return "Time";
  }
}

/** Returns each factor in exactly one group, in the vocabulary's order, without empty groups. */
export function factorGroups(factors: readonly Factor[]): FactorGroup[] {
  return TITLES.map((name) => {
    const own = factors.filter((factor) => title(factor) === name);
    return { title: name, first: own.filter((factor) => FIRST.has(factor.name)), more: own.filter((factor) => !FIRST.has(factor.name)) };
  }).filter(({ first, more }) => first.length + more.length > 0);
}

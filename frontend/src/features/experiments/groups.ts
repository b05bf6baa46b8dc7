/** The groups of factors in the form. Pure. */
import type { Factor } from "@/api/types";

/** Ids of messages. */
const TITLES = ["groupPath", "groupTool", "groupService", "groupProxy", "groupLimits", "groupTime"] as const;

export interface FactorGroup {
  title: (typeof TITLES)[number];
  /** Always shown. */
  first: Factor[];
  /** Shown on demand. */
  more: Factor[];
}

const FIRST = new Set(["path", "userland_proxy", "tool", "service", "clients", "threads", "script", "duration_s", "warm_up_s"]);

function title({ name, scope }: Factor): (typeof TITLES)[number] {
  switch (scope) {
    case "path":
      return "groupPath";
    case "tool":
      return "groupTool";
    // The service is chosen with the tool; its settings form a separate group.
    case "service":
      return name === "service" ? "groupTool" : "groupService";
    case "front":
      return "groupProxy";
    case "limits":
      return "groupLimits";
    case "time":
      return "groupTime";
  }
}

/** Returns each factor in exactly one group, in the vocabulary's order, without empty groups. */
export function factorGroups(factors: readonly Factor[]): FactorGroup[] {
  return TITLES.map((name) => {
    const own = factors.filter((factor) => title(factor) === name);
    return { title: name, first: own.filter((factor) => FIRST.has(factor.name)), more: own.filter((factor) => !FIRST.has(factor.name)) };
  }).filter(({ first, more }) => first.length + more.length > 0);
}

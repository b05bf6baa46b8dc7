/** The form's order: factors by what they belong to, the ones that every question needs first. Pure. */
import type { Factor } from "@/api/types";

export interface FactorGroup {
  title: string;
  /** Always shown. */
  first: Factor[];
  /** Shown on demand. */
  more: Factor[];
}

const TITLES = ["Path", "Tool and service", "Service settings", "Front", "Limits", "Time"] as const;
const FIRST = new Set(["path", "userland_proxy", "tool", "service", "clients", "threads", "script", "duration_s", "warm_up_s"]);

function title({ name, scope }: Factor): (typeof TITLES)[number] {
  switch (scope) {
    case "path":
      return "Path";
    case "tool":
      return "Tool and service";
    // Which service is chosen together with the tool; how it is set stands apart.
    case "service":
      return name === "service" ? "Tool and service" : "Service settings";
    case "front":
      return "Front";
    case "limits":
      return "Limits";
    case "time":
      return "Time";
  }
}

/** Every factor in exactly one group, in the vocabulary's order; groups without a factor are left out. */
export function factorGroups(factors: readonly Factor[]): FactorGroup[] {
  return TITLES.map((name) => {
    const own = factors.filter((factor) => title(factor) === name);
    return { title: name, first: own.filter((factor) => FIRST.has(factor.name)), more: own.filter((factor) => !FIRST.has(factor.name)) };
  }).filter(({ first, more }) => first.length + more.length > 0);
}

/** What a host can run, as its worker reported it. A kind that was not reported excludes nothing. */
import { messages } from "@/messages";
import type { Host } from "./generated";

const t = messages("states");

export function hostHref(name: string): string {
  return `/hosts/${encodeURIComponent(name)}`;
}

export interface Capability {
  name: string;
  /** Supported with at least one setting of userland-proxy. */
  supported: boolean;
  /** Why it is not supported, or only with some settings. */
  reasons: string[];
}

type Kind = "path" | "engine" | "program";

const LISTS: Record<Kind, "paths" | "engines" | "programs"> = { path: "paths", engine: "engines", program: "programs" };

function capabilityOf(host: Host, kind: Kind, name: string): Capability {
  const reported = host.capabilities[LISTS[kind]];
  const missing = host.cannot.filter((each) => each.kind === kind && each.name === name);
  const supported = reported ? reported.includes(name) : !missing.some((each) => each.setting === null);
  const reasons = missing.map(({ setting, reason }) => (setting === null ? reason : t(setting === "on" ? "withProxyOn" : "withProxyOff", { reason })));
  return { name, supported, reasons: supported || reasons.length > 0 ? reasons : [t("notOnHost")] };
}

/** Whether this host supports a path, with reasons; null while no host is chosen. */
export function pathCapability(host: Host | undefined, path: string): Capability | null {
  return host ? capabilityOf(host, "path", path) : null;
}

/** Whether the host reported capabilities of this kind. */
export function hasReported(host: Host, kind: Kind): boolean {
  return Array.isArray(host.capabilities[LISTS[kind]]) || host.cannot.some((each) => each.kind === kind);
}

/** All capabilities of one kind: the reported ones, the missing ones with their reason, and the names in `known`. */
export function capabilitiesOf(host: Host, kind: Kind, known: Iterable<string> = []): Capability[] {
  const lacking = host.cannot.filter((each) => each.kind === kind).map(({ name }) => name);
  return [...new Set([...known, ...(host.capabilities[LISTS[kind]] ?? []), ...lacking])].map((name) => capabilityOf(host, kind, name));
}

/** What a host's worker announced that it can run. What is not reported excludes nothing. */
import type { Host } from "./generated";

export function hostHref(name: string): string {
  return `/hosts/${encodeURIComponent(name)}`;
}

export interface Capability {
  name: string;
  /** Whether it can be had at all, if not with every userland-proxy setting. */
  supported: boolean;
  /** Why not, or what limits it. */
  reasons: string[];
}

type Kind = "path" | "engine" | "program";

const LISTS: Record<Kind, "paths" | "engines" | "programs"> = { path: "paths", engine: "engines", program: "programs" };

function one(host: Host, kind: Kind, name: string): Capability {
  const reported = host.capabilities[LISTS[kind]];
  const missing = host.cannot.filter((each) => each.kind === kind && each.name === name);
  const supported = reported ? reported.includes(name) : !missing.some((each) => each.setting === null);
  const reasons = missing.map(({ setting, reason }) => (setting === null ? reason : `with userland-proxy ${setting}: ${reason}`));
  return { name, supported, reasons: supported || reasons.length > 0 ? reasons : ["not on this host"] };
}

/** Whether and how this host supports a path; null while no host is chosen. */
export function pathCapability(host: Host | undefined, path: string): Capability | null {
  return host ? one(host, "path", path) : null;
}

/** Whether the host has reported what it has of this kind. */
export function hasReported(host: Host, kind: Kind): boolean {
  return Array.isArray(host.capabilities[LISTS[kind]]) || host.cannot.some((each) => each.kind === kind);
}

/** What a host has of one kind, and what it lacks with the reason; `known` are names to ask about beside those reported. */
export function capabilitiesOf(host: Host, kind: Kind, known: Iterable<string> = []): Capability[] {
  const lacking = host.cannot.filter((each) => each.kind === kind).map(({ name }) => name);
  return [...new Set([...known, ...(host.capabilities[LISTS[kind]] ?? []), ...lacking])].map((name) => one(host, kind, name));
}

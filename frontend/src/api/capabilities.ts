/** What a host's worker announced that it can run. What it has not told excludes nothing. */
import type { Host } from "./types";

export function hostHref(name: string): string {
  return `/hosts/${encodeURIComponent(name)}`;
}

export interface Able {
  name: string;
  /** Whether it can be had at all, if not with every userland-proxy setting. */
  able: boolean;
  /** Why not, or what limits it. */
  reasons: string[];
}

type Kind = "path" | "engine" | "program";

const LISTS: Record<Kind, "paths" | "engines" | "programs"> = { path: "paths", engine: "engines", program: "programs" };

function one(host: Host, kind: Kind, name: string): Able {
  const told = host.capabilities[LISTS[kind]];
  const missing = host.cannot.filter((each) => each.kind === kind && each.name === name);
  const able = told ? told.includes(name) : !missing.some((each) => each.setting === null);
  const reasons = missing.map(({ setting, reason }) => (setting === null ? reason : `with userland-proxy ${setting}: ${reason}`));
  return { name, able, reasons: able || reasons.length > 0 ? reasons : ["not on this host"] };
}

/** A path as this host can carry it; null while no host is chosen. */
export function pathOn(host: Host | undefined, path: string): Able | null {
  return host ? one(host, "path", path) : null;
}

/** Whether the host has told what it has of this kind. */
export function hasTold(host: Host, kind: Kind): boolean {
  return Array.isArray(host.capabilities[LISTS[kind]]) || host.cannot.some((each) => each.kind === kind);
}

/** What a host has of one kind, and what it lacks with the reason; `known` are names to ask about beside those told. */
export function ableOf(host: Host, kind: Kind, known: readonly string[] = []): Able[] {
  const lacking = host.cannot.filter((each) => each.kind === kind).map(({ name }) => name);
  return [...new Set([...known, ...(host.capabilities[LISTS[kind]] ?? []), ...lacking])].map((name) => one(host, kind, name));
}

/** Groups paths by kind. */
import type { Level } from "@/api/draft";

/** Ids of messages. */
const KINDS = [
  ["kindSame", /^(same_container|shared_namespace|unix_socket)$/],
  ["kindAddress", /^(sibling_container|default_bridge|container_address)$/],
  ["kindPublished", /^published_/],
  ["kindProxy", /^(nginx|haproxy|socat)_/],
  ["kindHost", /^(host_network|bare_host)/],
  ["kindDrivers", /^(overlay|macvlan|ipvlan)/],
] as const;
const OTHERS = "kindOthers" as const;

type Kind = (typeof KINDS)[number][0] | typeof OTHERS;

interface PathKind {
  kind: Kind;
  paths: Level[];
}

/** Returns each path in exactly one kind, without empty kinds. */
export function pathKinds(paths: readonly Level[]): PathKind[] {
  const of = (path: Level): Kind => KINDS.find(([, pattern]) => pattern.test(String(path)))?.[0] ?? OTHERS;
  const kinds: Kind[] = [...KINDS.map(([kind]) => kind), OTHERS];
  return kinds
    .map((kind): PathKind => ({ kind, paths: paths.filter((path) => of(path) === kind) }))
    .filter(({ paths: found }) => found.length > 0);
}

/** Groups paths by kind. */
import type { Level } from "@/api/draft";

const KINDS: readonly (readonly [string, RegExp])[] = [
  ["Same namespace or socket", /^(same_container|shared_namespace|unix_socket)$/],
  ["Container address", /^(sibling_container|default_bridge|container_address)$/],
  ["Published port", /^published_/],
  ["Through a reverse proxy", /^(nginx|haproxy|socat)_/],
  ["Without a container network", /^(host_network|bare_host)/],
  ["Other network drivers", /^(overlay|macvlan|ipvlan)/],
];
const OTHERS = "Others";

interface PathKind {
  kind: string;
  paths: Level[];
}

/** Returns each path in exactly one kind, without empty kinds. */
export function pathKinds(paths: readonly Level[]): PathKind[] {
  const of = (path: Level) => KINDS.find(([, pattern]) => pattern.test(String(path)))?.[0] ?? OTHERS;
  return [...KINDS.map(([kind]) => kind), OTHERS]
    .map((kind) => ({ kind, paths: paths.filter((path) => of(path) === kind) }))
    .filter(({ paths: found }) => found.length > 0);
}

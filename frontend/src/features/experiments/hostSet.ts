/** Several hosts of one start: by name, or all that have a label. */
import type { Host } from "@/api/generated";

export interface HostSet {
  names?: readonly string[];
  label?: string;
}

/** Returns every label of the hosts. */
export function labelsOf(hosts: readonly Host[]): string[] {
  return [...new Set(hosts.flatMap(({ labels }) => labels ?? []))].sort();
}

/** Returns the names of the hosts of a set, in the order of the list. */
export function hostsOf(set: HostSet, hosts: readonly Host[]): string[] {
  const isIn = (host: Host) => (set.label === undefined ? (set.names ?? []).includes(host.name) : (host.labels ?? []).includes(set.label));
  return hosts.filter(isIn).map(({ name }) => name);
}

/** Returns the names of the online hosts that are none of `own`: each may run the clients of remote paths. */
export function clientHostsBeside(own: readonly string[], hosts: readonly Host[]): string[] {
  return hosts.filter(({ name, online, pause }) => online && pause?.code !== "drained" && !own.includes(name)).map(({ name }) => name);
}

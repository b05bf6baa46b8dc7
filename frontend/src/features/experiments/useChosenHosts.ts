import { useState } from "react";
import type { ExperimentDraft } from "@/api/draft";
import type { Host } from "@/api/generated";
import type { Factors } from "@/api/types";
import { includedLevels, levelsOf } from "./document";
import { clientHostsBeside, hostsOf, type HostSet } from "./hostSet";

/** The hosts of a start, and the ways to choose others. */
export interface ChosenHosts {
  hosts: readonly Host[];
  host: string | undefined;
  /** Whether the chosen host left: nothing else is chosen in its place. */
  isGone: boolean;
  onHost: (name: string) => void;
  /** Several hosts in place of the one. */
  several: HostSet | null;
  onSeveral: (next: HostSet | null) => void;
  /** Whether a chosen path can have its client on another host. */
  takesClientHost: boolean;
  /** The hosts that may run clients. */
  clientHosts: readonly string[];
  clientHost: string | undefined;
  onClientHost: (name: string | undefined) => void;
}

/** Holds the choice of hosts: the first one that was online, and no client host, until the user chooses. */
export function useChosenHosts(hosts: readonly Host[], document: ExperimentDraft, factors: Factors): ChosenHosts {
  const [chosen, onHost] = useState<string | null>(null);
  const [several, onSeveral] = useState<HostSet | null>(null);
  const [client, onClientHost] = useState<string>();
  const first = hosts.find((each) => each.online)?.name ?? hosts[0]?.name;
  // A host that goes offline later stays chosen: the button never starts on another one by itself.
  if (chosen === null && first !== undefined) onHost(first);
  const host = chosen ?? first;
  const isGone = host !== undefined && !hosts.some(({ name }) => name === host);
  const paths = factors.factors.filter(({ name }) => name === "path").flatMap((factor) => [...levelsOf(document, factor), ...includedLevels(document, "path")]);
  const takesClientHost = factors.paths.some((path) => path.two_hosts && paths.includes(path.name));
  const own = several ? hostsOf(several, hosts) : host ? [host] : [];
  const clientHosts = takesClientHost ? clientHostsBeside(own, hosts) : [];
  const clientHost = client !== undefined && clientHosts.includes(client) ? client : undefined;
  return { hosts, host, isGone, onHost, several, onSeveral, takesClientHost, clientHosts, clientHost, onClientHost };
}

/** The search over paths: by name, service, program and other words of what is on the way. */
import type { PathChoice } from "@/api/generated";
import type { Option } from "@/components/Combobox";
import { hopName } from "@/components/hopName";
import { messages } from "@/messages";
import { serviceName } from "./loads";
import { pathKinds } from "./pathKinds";

const t = messages("experiments");

/** Further words that somebody may type, by what they mean. */
const WORDS: readonly [RegExp, string][] = [
  [/^published_/, "port publish -p nat"],
  [/ipv6/, "ip6 v6"],
  [/^(nginx|haproxy|socat)_/, "reverse proxy load balancer front"],
  [/unix/, "socket uds"],
  [/^overlay/, "swarm vxlan multi host"],
  [/encrypted/, "ipsec esp"],
  [/^(host_network|bare_host)/, "without network namespace localhost"],
  [/_remote$|^overlay/, "other host two hosts lan"],
];

/** Returns everything of a path that a search covers, in lower case. */
function textOf(path: PathChoice): string {
  const hops = [...new Set([...(path.hops["on"] ?? []), ...(path.hops["off"] ?? [])])];
  const more = WORDS.filter(([pattern]) => pattern.test(path.name)).map(([, words]) => words);
  const own = [path.name, path.name.replaceAll("_", " "), path.title, path.summary];
  return [...own, ...hops, ...hops.map(hopName), ...path.services, ...path.services.map(serviceName), ...more]
    .join(" ")
    .toLowerCase();
}

/** Returns the paths that have every typed word, those with it in their name first. */
export function foundPaths(paths: readonly PathChoice[], typed: string): PathChoice[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = paths.filter((path) => {
    const text = textOf(path);
    return words.every((word) => text.includes(word));
  });
  const isNamed = ({ name, title }: PathChoice) => words.every((word) => `${name} ${title}`.toLowerCase().includes(word));
  return [...found.filter(isNamed), ...found.filter((path) => !isNamed(path))];
}

/** Formats a way: "loopback → docker-proxy → bridge → veth". */
export function formatHops(hops: readonly string[]): string {
  return hops.map(hopName).join(" → ");
}

interface OptionsOf {
  /** The paths in the order in which they were found. */
  paths: readonly PathChoice[];
  /** The setting of userland-proxy whose way is drawn. */
  isOn: boolean;
  /** Says why a path cannot be used here. */
  remarkOf: (path: PathChoice) => string;
}

/** Returns the options of the search, each with its way. */
export function pathOptions({ paths, isOn, remarkOf }: OptionsOf): Option[] {
  return paths.map((path) => {
    const hops = path.hops[isOn ? "on" : "off"] ?? path.hops[isOn ? "off" : "on"] ?? [];
    const detail = [formatHops(hops), remarkOf(path)].filter(Boolean).join(" · ");
    return { value: path.name, label: path.title, detail };
  });
}

/** Returns options by kind of path, for somebody who searches for nothing yet. */
export function byKind(options: readonly Option[]): Option[] {
  return pathKinds(options.map(({ value }) => value)).flatMap(({ kind, paths }) =>
    options.filter(({ value }) => paths.includes(value)).map((option) => ({ ...option, group: t(kind) })),
  );
}

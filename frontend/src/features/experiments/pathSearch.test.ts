import { describe, expect, it } from "vitest";
import type { PathChoice } from "@/api/generated";
import { byKind, formatHops, foundPaths, pathOptions } from "./pathSearch";

const path = (name: string, title: string, on: string[], more: Partial<PathChoice> = {}): PathChoice => ({
  name, title, summary: "", services: [], hops: { on, off: on }, unreachable: "", ...more,
});
const PATHS = [
  path("published_loopback", "Published port on 127.0.0.1", ["loopback", "docker-proxy", "bridge", "veth"], { hops: { on: ["loopback", "docker-proxy", "bridge", "veth"], off: ["dnat", "bridge", "veth"] } }),
  path("nginx_http_unix", "Reverse proxy nginx (HTTP), Unix socket", ["loopback", "nginx", "unix"], { services: ["flask"] }),
  path("overlay", "Overlay network", ["veth", "vxlan", "veth"]),
  path("unix_socket", "Unix socket", ["unix"], { services: ["postgres"] }),
];
const found = (typed: string) => foundPaths(PATHS, typed).map(({ name }) => name);

describe("the search over paths", () => {
  it.each([
    ["", ["published_loopback", "nginx_http_unix", "overlay", "unix_socket"]],
    ["nginx", ["nginx_http_unix"]],
    ["Overlay", ["overlay"]],
    ["swarm", ["overlay"]],
    ["docker-proxy", ["published_loopback"]],
    ["dnat", ["published_loopback"]],
    ["postgresql", ["unix_socket"]],
    ["flask unix", ["nginx_http_unix"]],
    ["unix socket", ["nginx_http_unix", "unix_socket"]],
    ["published_loop", ["published_loopback"]],
    ["carrier pigeon", []],
  ])("finds by name, service, program and hop: %j", (typed, names) => {
    expect(found(typed)).toEqual(names);
  });

  it("lists a path with the word in its name first", () => {
    expect(found("socket").slice(-1)).toEqual(["unix_socket"]);
    expect(found("vxlan")).toEqual(["overlay"]);
  });

  it("draws the way of each option, with what forbids it", () => {
    expect(formatHops(["loopback", "docker-proxy"])).toMatch(/→ docker-proxy$/);
    const options = pathOptions({ paths: PATHS, isOn: true, remarkOf: () => "one host only" });
    expect(options.map(({ value }) => value)).toEqual(PATHS.map(({ name }) => name));
    expect(options.find(({ value }) => value === "overlay")?.detail).toMatch(/→ .*· one host only$/);
    expect(byKind(options).every(({ group }) => group)).toBe(true);
    expect(byKind(options)).toHaveLength(PATHS.length);
  });
});

import { describe, expect, it } from "vitest";
import { ableOf, hasTold, hostHref, pathOn } from "./capabilities";
import type { Host } from "./types";

const host = (capabilities: Host["capabilities"], cannot: Host["cannot"] = []): Host => ({ id: "hst_1", name: "bench 1", online: true, last_seen_at: "", capabilities, cannot, environment: {} });

describe("capabilities", () => {
  const known = host({ paths: ["same_container", "published_hairpin"], engines: ["on"], programs: ["docker-proxy"] }, [
    { kind: "path", name: "macvlan", setting: null, reason: "no macvlan in the kernel" },
    { kind: "path", name: "published_hairpin", setting: "off", reason: "needs br_netfilter" },
    { kind: "engine", name: "host", setting: null, reason: "no socket" },
  ]);

  it("gives the host's reason for a path that it cannot carry, or only with one setting", () => {
    expect(pathOn(known, "same_container")).toEqual({ name: "same_container", able: true, reasons: [] });
    expect(pathOn(known, "macvlan")).toEqual({ name: "macvlan", able: false, reasons: ["no macvlan in the kernel"] });
    expect(pathOn(known, "published_hairpin")).toMatchObject({ able: true, reasons: ["with userland-proxy off: needs br_netfilter"] });
    expect(pathOn(known, "overlay")).toMatchObject({ able: false, reasons: ["not on this host"] });
  });

  it("excludes nothing while nothing is known", () => {
    expect(pathOn(undefined, "macvlan")).toBeNull();
    expect(pathOn(host({}), "macvlan")).toMatchObject({ able: true });
    expect(hasTold(host({}), "path")).toBe(false);
  });

  it("lists what the host has and, with the reason, what it lacks", () => {
    expect(ableOf(known, "engine").map(({ name, able }) => [name, able])).toEqual([["on", true], ["host", false]]);
    expect(ableOf(known, "path", ["macvlan", "same_container"]).map(({ name }) => name)).toEqual(["macvlan", "same_container", "published_hairpin"]);
    expect(hasTold(known, "program")).toBe(true);
    expect(hostHref("bench 1")).toBe("/hosts/bench%201");
  });
});

import { describe, expect, it } from "vitest";
import { capabilitiesOf, hasReported, hostHref, pathCapability } from "./capabilities";
import type { Host } from "./generated";

const host = (capabilities: Host["capabilities"], cannot: Host["cannot"] = []): Host => ({ id: "hst_1", name: "bench 1", online: true, last_seen_at: "", capabilities, cannot, environment: {} });

describe("capabilities", () => {
  const known = host({ paths: ["same_container", "published_hairpin"], engines: ["on"], programs: ["docker-proxy"] }, [
    { kind: "path", name: "macvlan", setting: null, reason: "no macvlan in the kernel" },
    { kind: "path", name: "published_hairpin", setting: "off", reason: "needs br_netfilter" },
    { kind: "engine", name: "host", setting: null, reason: "no socket" },
  ]);

  it("returns the host's reason for a path that it does not support, or supports with one setting only", () => {
    expect(pathCapability(known, "same_container")).toEqual({ name: "same_container", supported: true, reasons: [] });
    expect(pathCapability(known, "macvlan")).toEqual({ name: "macvlan", supported: false, reasons: ["no macvlan in the kernel"] });
    expect(pathCapability(known, "published_hairpin")).toMatchObject({ supported: true, reasons: ["with userland-proxy off: needs br_netfilter"] });
    expect(pathCapability(known, "overlay")).toMatchObject({ supported: false, reasons: ["not on this host"] });
  });

  it("excludes nothing where nothing was reported", () => {
    expect(pathCapability(undefined, "macvlan")).toBeNull();
    expect(pathCapability(host({}), "macvlan")).toMatchObject({ supported: true });
    expect(hasReported(host({}), "path")).toBe(false);
  });

  it("lists supported and missing capabilities, the latter with their reason", () => {
    expect(capabilitiesOf(known, "engine").map(({ name, supported }) => [name, supported])).toEqual([["on", true], ["host", false]]);
    expect(capabilitiesOf(known, "path", ["macvlan", "same_container"]).map(({ name }) => name)).toEqual(["macvlan", "same_container", "published_hairpin"]);
    expect(hasReported(known, "program")).toBe(true);
    expect(hostHref("bench 1")).toBe("/hosts/bench%201");
  });
});

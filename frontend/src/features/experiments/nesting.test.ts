import { describe, expect, it } from "vitest";
import type { ExperimentDraft, Rule } from "@/api/draft";
import { named, VOCABULARY } from "@/testing/vocabulary";
import { factorGroups } from "./groups";
import { applicable, changed, everyLevel, offered, repaired, withService, yielded } from "./nesting";
import { pathKinds } from "./pathKinds";

const DOCUMENT: ExperimentDraft = {
  name: "n", title: "T",
  factors: { path: ["same_container", "published_loopback"], userland_proxy: [true, false], tool: ["pgbench"], service: ["postgres"], protocol: ["simple", "prepared"], fsync: [true, false] },
  rounds: 10, seed: 7, baseline: { path: "same_container", protocol: "simple" }, metrics: ["tps", "cpu_us_per_txn", "latency_avg_ms"], margin: 0.05,
};
const names = (document: ExperimentDraft) => applicable(document, VOCABULARY).map((factor) => factor.name);

describe("applicable", () => {
  it("keeps the factors that one of the chosen levels asks for", () => {
    expect(names(DOCUMENT)).toEqual(["path", "userland_proxy", "proxy_program", "tool", "service", "clients", "protocol", "fsync", "server_cpuset", "duration_s"]);
    expect(names({ ...DOCUMENT, factors: { ...DOCUMENT.factors, userland_proxy: [false] } })).not.toContain("proxy_program");
    expect(names({ ...DOCUMENT, factors: { ...DOCUMENT.factors, path: ["same_container", "nginx_stream"] } })).toContain("front_workers");
  });

  it("hides what needs a factor that is itself hidden", () => {
    const udp = { ...DOCUMENT, factors: { tool: ["iperf3"], transport: ["udp"] } };
    expect(names(udp)).toContain("udp_mbit_s");
    expect(names({ ...DOCUMENT, factors: { tool: ["pgbench"], transport: ["udp"] } })).not.toContain("udp_mbit_s");
  });

  it("takes a factor that the document does not name at its default", () => {
    expect(names({ ...DOCUMENT, factors: {} })).toContain("protocol");
  });
});

describe("changed", () => {
  it("brings a fitting service with another tool, and repairs factors, baseline and metrics", () => {
    const next = changed(DOCUMENT, VOCABULARY, named("tool"), ["wrk"]);
    expect(next.factors).toEqual({ path: DOCUMENT.factors["path"], userland_proxy: [true, false], tool: ["wrk"], service: ["pong"] });
    expect(next.baseline).toEqual({ path: "same_container" });
    expect(next.metrics).toEqual(["rps", "cpu_us_per_txn", "latency_avg_ms"]);
  });

  it("keeps a service that still fits, and gives every tool one", () => {
    const flask = changed({ ...DOCUMENT, factors: { tool: ["wrk"], service: ["flask"] } }, VOCABULARY, named("tool"), ["ab"]);
    expect(flask.factors["service"]).toEqual(["flask"]);
    const two = changed(DOCUMENT, VOCABULARY, named("tool"), ["pgbench", "iperf3"]);
    expect(two.factors["service"]).toEqual(["postgres", "iperf3_server"]);
    expect(two.factors["protocol"]).toEqual(["simple", "prepared"]);
    expect(two.metrics).toEqual(["tps", "cpu_us_per_txn", "latency_avg_ms"]);
  });

  it("compares each cell with one of its own tool, where there are several", () => {
    const onTool = { ...DOCUMENT, baseline: { path: "same_container", tool: "pgbench" } };
    expect(changed(onTool, VOCABULARY, named("tool"), ["pgbench", "wrk"]).baseline).toEqual({ path: "same_container" });
  });

  it("lets the service follow the tool where the document names none", () => {
    expect(withService({ ...DOCUMENT, factors: { tool: ["ab"] } }, VOCABULARY).factors["service"]).toEqual(["pong"]);
    expect(withService(DOCUMENT, VOCABULARY)).toBe(DOCUMENT);
  });

  it("puts the tool's own rate first when it has none of the chosen metrics", () => {
    expect(changed({ ...DOCUMENT, metrics: ["tps"] }, VOCABULARY, named("tool"), ["iperf3"]).metrics).toEqual(["throughput_gbit_s"]);
  });

  it("leaves everything in place while a list is empty, so that it can be typed anew", () => {
    const next = changed(DOCUMENT, VOCABULARY, named("tool"), []);
    expect(next.factors["protocol"]).toEqual(["simple", "prepared"]);
    expect(next.baseline).toEqual(DOCUMENT.baseline);
  });
});

describe("repaired", () => {
  it("never leaves the baseline empty", () => {
    const next = repaired({ ...DOCUMENT, factors: { tool: ["wrk"], service: ["pong"] }, baseline: { protocol: "simple" } }, VOCABULARY);
    expect(next.baseline).toEqual({ path: "published_loopback" });
  });

  it("takes levels that left out of the rules, and rules that exclude nothing any more", () => {
    const exclude: Rule[] = [{ path: ["same_container", "published_loopback"], userland_proxy: [false] }, { path: "published_loopback" }, { protocol: ["simple"] }];
    const without = changed({ ...DOCUMENT, exclude }, VOCABULARY, named("path"), ["same_container"]);
    expect(without.exclude).toEqual([{ path: ["same_container"], userland_proxy: [false] }, { protocol: ["simple"] }]);
    expect(changed(without, VOCABULARY, named("tool"), ["wrk"]).exclude).toEqual([{ path: ["same_container"], userland_proxy: [false] }]);
  });

  it("keeps sweeps and unknown levels in rules, unknown metrics, and what is no list: the server validates them", () => {
    const exclude = [{ clients: { from: 1, to: 4, step: 1 } }, { clients: [64] }, { colour: ["red"] }, null] as unknown as Rule[];
    const next = changed({ ...DOCUMENT, exclude, metrics: ["tps", "tpz"] }, VOCABULARY, named("path"), ["same_container"]);
    expect(next.exclude).toEqual([...exclude.slice(0, 3), {}]);
    expect(next.metrics).toEqual(["tps", "tpz"]);
    expect(changed({ ...DOCUMENT, exclude: 5 as never }, VOCABULARY, named("path"), ["same_container"]).exclude).toBe(5);
  });

  it("keeps a tool in the baseline beside others of the same rate", () => {
    const rates = { ...DOCUMENT, factors: { tool: ["wrk", "ab"], service: ["pong"] }, baseline: { tool: "wrk" }, metrics: ["rps"] };
    expect(changed(rates, VOCABULARY, named("path"), ["same_container"]).baseline).toEqual({ tool: "wrk" });
  });

  it("does not change what it does not know: the server validates it", () => {
    expect(repaired({ ...DOCUMENT, factors: { ...DOCUMENT.factors, colour: ["red"] } }, VOCABULARY).factors["colour"]).toEqual(["red"]);
  });
});

describe("yielded", () => {
  it("offers what at least one of the tools yields", () => {
    expect(yielded({ ...DOCUMENT, factors: { tool: ["iperf3"] } }, VOCABULARY).map((metric) => metric.name)).toEqual(["throughput_gbit_s", "cpu_us_per_txn"]);
    expect(yielded({ ...DOCUMENT, factors: { tool: ["pgbench", "ab"] } }, VOCABULARY).map((metric) => metric.name)).toEqual(["tps", "rps", "cpu_us_per_txn", "latency_avg_ms"]);
  });
});

describe("with cells that a rule adds", () => {
  const ADDED: ExperimentDraft = {
    ...DOCUMENT,
    factors: { ...DOCUMENT.factors, gomaxprocs: [0, 2] },
    include: [{ tool: "wrk" }, { path: ["macvlan"] }],
    baseline: { path: "macvlan", gomaxprocs: 2 },
    metrics: ["tps", "rps"],
  };

  it("keeps their metrics, factors and baseline levels when anything else is touched", () => {
    const next = changed(ADDED, VOCABULARY, named("userland_proxy"), [true]);
    expect(next.metrics).toEqual(["tps", "rps"]);
    expect(next.factors["gomaxprocs"]).toEqual([0, 2]);
    expect(changed(ADDED, VOCABULARY, named("path"), ["same_container"]).baseline).toEqual({ path: "macvlan", gomaxprocs: 2 });
  });

  it("knows every level that a cell has, the service of an added tool too", () => {
    expect(everyLevel(ADDED, VOCABULARY, named("service"))).toEqual(["postgres", "pong"]);
    expect(everyLevel(ADDED, VOCABULARY, named("path"))).toEqual(["same_container", "published_loopback", "macvlan"]);
    expect(everyLevel({ ...ADDED, include: [null, { clients: { from: 7, to: 8 } }] as never }, VOCABULARY, named("clients"))).toEqual([5, 7, 8]);
  });

  it("offers as fields what the product has, and what the document names besides", () => {
    const fields = (document: ExperimentDraft) => offered(document, VOCABULARY).map(({ name }) => name);
    expect(fields(ADDED)).toContain("gomaxprocs");
    expect(fields({ ...ADDED, factors: DOCUMENT.factors })).not.toContain("gomaxprocs");
    expect(names({ ...ADDED, factors: DOCUMENT.factors })).toContain("gomaxprocs");
  });
});

describe("factorGroups", () => {
  it("puts every factor into exactly one group, the service beside its tool", () => {
    const groups = factorGroups(VOCABULARY.factors);
    expect(groups.map((group) => group.title)).toEqual(["Path", "Tool and service", "Service settings", "Reverse proxy", "Limits", "Time"]);
    const all = groups.flatMap((group) => [...group.first, ...group.more]);
    expect(all).toHaveLength(VOCABULARY.factors.length);
    expect(new Set(all).size).toBe(VOCABULARY.factors.length);
    expect(groups[1]!.first.map((factor) => factor.name)).toEqual(["tool", "service", "clients"]);
    expect(groups[2]!.first).toEqual([]);
  });
});

describe("pathKinds", () => {
  it("keeps every path once, also one that it does not know", () => {
    const kinds = pathKinds(["published_loopback", "nginx_stream", "same_container", "carrier_pigeon", "bare_host"]);
    expect(kinds.flatMap((kind) => kind.paths)).toHaveLength(5);
    expect(kinds.find((kind) => kind.kind === "Others")?.paths).toEqual(["carrier_pigeon"]);
    expect(kinds[0]).toEqual({ kind: "Same namespace or socket", paths: ["same_container"] });
  });
});

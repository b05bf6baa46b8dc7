import { describe, expect, it } from "vitest";
import type { ExperimentDraft, Rule } from "@/api/draft";
import { named, VOCABULARY } from "@/testing/vocabulary";
import { factorGroups } from "./groups";
import { applicable, withChosenLevels, allLevels, offered, repaired, withService, reportedMetrics } from "./nesting";
import { pathKinds } from "./pathKinds";

const DOCUMENT: ExperimentDraft = {
  name: "n", title: "T",
  factors: { path: ["same_container", "published_loopback"], userland_proxy: [true, false], tool: ["pgbench"], service: ["postgres"], protocol: ["simple", "prepared"], fsync: [true, false] },
  rounds: 10, seed: 7, baseline: { path: "same_container", protocol: "simple" }, metrics: ["tps", "cpu_us_per_txn", "latency_avg_ms"], margin: 0.05,
};
const names = (document: ExperimentDraft) => applicable(document, VOCABULARY).map((factor) => factor.name);

describe("applicable", () => {
  it("contains the factors that apply to a chosen level", () => {
    expect(names(DOCUMENT)).toEqual(["path", "userland_proxy", "proxy_program", "tool", "service", "clients", "protocol", "fsync", "server_cpuset", "duration_s"]);
    expect(names({ ...DOCUMENT, factors: { ...DOCUMENT.factors, userland_proxy: [false] } })).not.toContain("proxy_program");
    expect(names({ ...DOCUMENT, factors: { ...DOCUMENT.factors, path: ["same_container", "nginx_stream"] } })).toContain("front_workers");
  });

  it("omits factors that need an omitted factor", () => {
    const udp = { ...DOCUMENT, factors: { tool: ["iperf3"], transport: ["udp"] } };
    expect(names(udp)).toContain("udp_mbit_s");
    expect(names({ ...DOCUMENT, factors: { tool: ["pgbench"], transport: ["udp"] } })).not.toContain("udp_mbit_s");
  });

  it("uses the default of a factor that the document does not name", () => {
    expect(names({ ...DOCUMENT, factors: {} })).toContain("protocol");
  });
});

describe("withChosenLevels", () => {
  it("replaces the service for another tool, and adapts factors, baseline and metrics", () => {
    const next = withChosenLevels(DOCUMENT, VOCABULARY, named("tool"), ["wrk"]);
    expect(next.factors).toEqual({ path: DOCUMENT.factors["path"], userland_proxy: [true, false], tool: ["wrk"], service: ["pong"] });
    expect(next.baseline).toEqual({ path: "same_container" });
    expect(next.metrics).toEqual(["rps", "cpu_us_per_txn", "latency_avg_ms"]);
  });

  it("keeps a supported service, and adds one for each other tool", () => {
    const flask = withChosenLevels({ ...DOCUMENT, factors: { tool: ["wrk"], service: ["flask"] } }, VOCABULARY, named("tool"), ["ab"]);
    expect(flask.factors["service"]).toEqual(["flask"]);
    const two = withChosenLevels(DOCUMENT, VOCABULARY, named("tool"), ["pgbench", "iperf3"]);
    expect(two.factors["service"]).toEqual(["postgres", "iperf3_server"]);
    expect(two.factors["protocol"]).toEqual(["simple", "prepared"]);
    expect(two.metrics).toEqual(["tps", "cpu_us_per_txn", "latency_avg_ms"]);
  });

  it("removes the tool from the baseline where there are several", () => {
    const onTool = { ...DOCUMENT, baseline: { path: "same_container", tool: "pgbench" } };
    expect(withChosenLevels(onTool, VOCABULARY, named("tool"), ["pgbench", "wrk"]).baseline).toEqual({ path: "same_container" });
  });

  it("derives the service from the tool where the document names none", () => {
    expect(withService({ ...DOCUMENT, factors: { tool: ["ab"] } }, VOCABULARY).factors["service"]).toEqual(["pong"]);
    expect(withService(DOCUMENT, VOCABULARY)).toBe(DOCUMENT);
  });

  it("adds the tool's rate first where it reports none of the chosen metrics", () => {
    expect(withChosenLevels({ ...DOCUMENT, metrics: ["tps"] }, VOCABULARY, named("tool"), ["iperf3"]).metrics).toEqual(["throughput_gbit_s"]);
  });

  it("changes nothing else while a list is empty", () => {
    const next = withChosenLevels(DOCUMENT, VOCABULARY, named("tool"), []);
    expect(next.factors["protocol"]).toEqual(["simple", "prepared"]);
    expect(next.baseline).toEqual(DOCUMENT.baseline);
  });
});

describe("repaired", () => {
  it("keeps the last level of the baseline, for the page to ask what is compared instead", () => {
    const next = repaired({ ...DOCUMENT, factors: { tool: ["wrk"], service: ["pong"] }, baseline: { protocol: "simple" } }, VOCABULARY);
    expect(next.baseline).toEqual({ protocol: "simple" });
    expect(repaired({ ...DOCUMENT, factors: { tool: ["wrk"], service: ["pong"] } }, VOCABULARY).baseline).toEqual({ path: "same_container" });
  });

  it("removes levels from the rules, and rules that no longer exclude anything", () => {
    const exclude: Rule[] = [{ path: ["same_container", "published_loopback"], userland_proxy: [false] }, { path: "published_loopback" }, { protocol: ["simple"] }];
    const without = withChosenLevels({ ...DOCUMENT, exclude }, VOCABULARY, named("path"), ["same_container"]);
    expect(without.exclude).toEqual([{ path: ["same_container"], userland_proxy: [false] }, { protocol: ["simple"] }]);
    expect(withChosenLevels(without, VOCABULARY, named("tool"), ["wrk"]).exclude).toEqual([{ path: ["same_container"], userland_proxy: [false] }]);
  });

  it("keeps sweeps and unknown levels in rules, unknown metrics and values that are no lists, for the server to validate", () => {
    const exclude = [{ clients: { from: 1, to: 4, step: 1 } }, { clients: [64] }, { colour: ["red"] }, null] as unknown as Rule[];
    const next = withChosenLevels({ ...DOCUMENT, exclude, metrics: ["tps", "tpz"] }, VOCABULARY, named("path"), ["same_container"]);
    expect(next.exclude).toEqual([...exclude.slice(0, 3), {}]);
    expect(next.metrics).toEqual(["tps", "tpz"]);
    expect(withChosenLevels({ ...DOCUMENT, exclude: 5 as never }, VOCABULARY, named("path"), ["same_container"]).exclude).toBe(5);
  });

  it("keeps the tool of the baseline with others of the same rate", () => {
    const rates = { ...DOCUMENT, factors: { tool: ["wrk", "ab"], service: ["pong"] }, baseline: { tool: "wrk" }, metrics: ["rps"] };
    expect(withChosenLevels(rates, VOCABULARY, named("path"), ["same_container"]).baseline).toEqual({ tool: "wrk" });
  });

  it("keeps unknown values, for the server to validate", () => {
    expect(repaired({ ...DOCUMENT, factors: { ...DOCUMENT.factors, colour: ["red"] } }, VOCABULARY).factors["colour"]).toEqual(["red"]);
  });
});

describe("reportedMetrics", () => {
  it("contains the metrics that at least one tool reports", () => {
    expect(reportedMetrics({ ...DOCUMENT, factors: { tool: ["iperf3"] } }, VOCABULARY).map((metric) => metric.name)).toEqual(["throughput_gbit_s", "cpu_us_per_txn"]);
    expect(reportedMetrics({ ...DOCUMENT, factors: { tool: ["pgbench", "ab"] } }, VOCABULARY).map((metric) => metric.name)).toEqual(["tps", "rps", "cpu_us_per_txn", "latency_avg_ms"]);
  });
});

describe("cells that a rule adds", () => {
  const ADDED: ExperimentDraft = {
    ...DOCUMENT,
    factors: { ...DOCUMENT.factors, gomaxprocs: [0, 2] },
    include: [{ tool: "wrk" }, { path: ["macvlan"] }],
    baseline: { path: "macvlan", gomaxprocs: 2 },
    metrics: ["tps", "rps"],
  };

  it("keep their metrics, factors and baseline levels when another factor changes", () => {
    const next = withChosenLevels(ADDED, VOCABULARY, named("userland_proxy"), [true]);
    expect(next.metrics).toEqual(["tps", "rps"]);
    expect(next.factors["gomaxprocs"]).toEqual([0, 2]);
    expect(withChosenLevels(ADDED, VOCABULARY, named("path"), ["same_container"]).baseline).toEqual({ path: "macvlan", gomaxprocs: 2 });
  });

  it("add their levels, and the service of an added tool", () => {
    expect(allLevels(ADDED, VOCABULARY, named("service"))).toEqual(["postgres", "pong"]);
    expect(allLevels(ADDED, VOCABULARY, named("path"))).toEqual(["same_container", "published_loopback", "macvlan"]);
    expect(allLevels({ ...ADDED, include: [null, { clients: { from: 7, to: 8 } }] as never }, VOCABULARY, named("clients"))).toEqual([5, 7, 8]);
  });

  it("add the fields of factors that the document names", () => {
    const fields = (document: ExperimentDraft) => offered(document, VOCABULARY).map(({ name }) => name);
    expect(fields(ADDED)).toContain("gomaxprocs");
    expect(fields({ ...ADDED, factors: DOCUMENT.factors })).not.toContain("gomaxprocs");
    expect(names({ ...ADDED, factors: DOCUMENT.factors })).toContain("gomaxprocs");
  });
});

describe("factorGroups", () => {
  it("has every factor in exactly one group, the service with its tool", () => {
    const groups = factorGroups(VOCABULARY.factors);
    expect(groups.map((group) => group.title)).toEqual(["groupPath", "groupTool", "groupService", "groupProxy", "groupLimits", "groupTime"]);
    const all = groups.flatMap((group) => [...group.first, ...group.more]);
    expect(all).toHaveLength(VOCABULARY.factors.length);
    expect(new Set(all).size).toBe(VOCABULARY.factors.length);
    expect(groups[1]!.first.map((factor) => factor.name)).toEqual(["tool", "service", "clients"]);
    expect(groups[2]!.first).toEqual([]);
  });
});

describe("pathKinds", () => {
  it("has every path once, also an unknown one", () => {
    const kinds = pathKinds(["published_loopback", "nginx_stream", "same_container", "carrier_pigeon", "bare_host"]);
    expect(kinds.flatMap((kind) => kind.paths)).toHaveLength(5);
    expect(kinds.find((kind) => kind.kind === "kindOthers")?.paths).toEqual(["carrier_pigeon"]);
    expect(kinds[0]).toEqual({ kind: "kindSame", paths: ["same_container"] });
  });
});

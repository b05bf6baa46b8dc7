/** A run's result for tests, with synthetic figures: six measured cells and one of every other state. */
import type { ChartCell, ChartModel, Comparison, Summary } from "@/api/generated";
import type { CellState, VerdictKind } from "@/api/types";

const ROUNDS = 10;
const CORES = 4;

function noise(seed: number, round: number): number {
  const x = Math.sin(seed * 127.1 + round * 311.7) * 43758.5453;
  return x - Math.floor(x) - 0.5;
}

function summary(seed: number, centre: number, spread: number, n = ROUNDS): Summary {
  const values = Array.from({ length: n }, (_, index) => centre * (1 + spread * noise(seed, index + 1)));
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number) => sorted[Math.max(0, Math.min(n - 1, index))] ?? centre;
  return {
    n,
    median: n === 0 ? null : (at(Math.floor((n - 1) / 2)) + at(Math.ceil((n - 1) / 2))) / 2,
    interval: n >= 6 ? { low: at(1), high: at(n - 2) } : null,
    cv_percent: n >= 2 ? spread * 29 : null,
    values,
  };
}

function comparison(ratio: number | null, verdict: VerdictKind, sentence: string): Comparison {
  return {
    baseline_id: "c1",
    n: ROUNDS,
    ratio,
    interval: ratio === null ? null : { low: ratio * 0.982, high: ratio * 1.019 },
    interval_90: ratio === null ? null : { low: ratio * 0.986, high: ratio * 1.014 },
    p: ratio === null ? null : verdict === "equivalent" ? 0.232 : 0.00195,
    p_holm: ratio === null ? null : verdict === "equivalent" ? 0.464 : 0.0098,
    p_adjusted: ratio === null ? null : verdict === "equivalent" ? 0.464 : 0.0098,
    method: "paired signed-rank on log ratios, Hodges-Lehmann",
    verdict,
    sentence,
  };
}

interface Row {
  id: string;
  path: string;
  proxy: boolean;
  tps: number;
  cost: number;
  proxyShare: number;
  verdict: VerdictKind | null;
  sentence: string;
  state?: CellState;
  reason?: string;
  published?: number;
  duplicate?: boolean;
  n?: number;
}

function cpu(row: Row): ChartCell["cpu"] {
  const proxy = row.proxyShare;
  const shares: Record<string, number> = { client: 0.24, server: 0.46 - proxy / 2, proxy, kernel: 0.14 - proxy / 4, other: 0.02, unattributed: 0.03 };
  const total = Object.values(shares).reduce((sum, share) => sum + share, 0);
  const used = (row.cost * row.tps) / 1e6;
  const parts = Object.entries(shares).map(([role, share]) => ({ role, busy: true, us_per_txn: (row.cost * share) / total, cores: (used * share) / total }));
  const spare = { steal: 0.02, idle: CORES - used - 0.02 };
  return [...parts, ...Object.entries(spare).map(([role, cores]) => ({ role, busy: false, us_per_txn: (cores * 1e6) / row.tps, cores }))];
}

function processes(row: Row): ChartCell["processes"] {
  return row.proxyShare > 0 ? [{ name: "docker-proxy", role: "proxy", thread: false, rank: 1, cores: 0.6 }] : [];
}

function cell(row: Row, index: number): ChartCell {
  const state = row.state ?? "measured";
  const drawn = state === "measured" || state === "partial";
  const n = drawn ? (row.n ?? ROUNDS) : 0;
  const compared = drawn && row.verdict !== null;
  return {
    id: row.id,
    label: `${row.path}, proxy ${row.proxy ? "on" : "off"}${row.duplicate ? " (A/A)" : ""}`,
    levels: { path: row.path, userland_proxy: row.proxy, tool: "pgbench", service: "postgres", clients: 5, threads: 1, protocol: "prepared", scale: 5, duration_s: 10, warm_up_s: 2 },
    row: row.path + (row.duplicate ? " (A/A)" : ""),
    row_group: row.path,
    series: `proxy ${row.proxy ? "on" : "off"}`,
    color: row.proxy ? 0 : 1,
    shape: row.proxy ? 0 : 1,
    state,
    reason: row.reason ?? null,
    is_baseline: row.id === "c1",
    is_duplicate: row.duplicate ?? false,
    trials_done: state === "contradicted" ? ROUNDS : n,
    trials_failed: state === "failed" ? ROUNDS : 0,
    trials_planned: state === "infeasible" ? 0 : ROUNDS,
    hops: row.path === "same_container" ? ["loopback"] : row.proxy ? ["loopback", "docker-proxy", "bridge", "veth"] : ["dnat", "masquerade", "bridge", "veth"],
    summaries: drawn && n > 0 ? { tps: summary(index + 1, row.tps, 0.05, n), cpu_us_per_txn: summary(index + 40, row.cost, 0.04, n) } : {},
    comparisons: compared
      ? {
          tps: comparison(row.tps / 17500, row.verdict ?? "undefined", row.sentence),
          cpu_us_per_txn: comparison(row.cost / 92, row.cost > 100 ? "worse" : "equivalent", row.cost > 100 ? `CPU per transaction is ${Math.round(row.cost / 0.92 - 100)} % higher` : "Equal within 5 %"),
        }
      : {},
    cpu: drawn && n > 0 ? cpu(row) : [],
    evidence: { proven: state === "contradicted" || state === "not_proven" ? 0 : n, not_proven: state === "not_proven" ? n : 0, contradicted: state === "contradicted" ? ROUNDS : 0 },
    published: row.published ? { values: { tps: row.published, latency_avg_ms: 0.3 }, ratio: row.published / 17512.4 } : null,
    processes: drawn && n > 0 ? processes(row) : [],
    decided_at: null,
    rounds: Array.from({ length: n }, (_, round) => round + 1),
    left_out: [],
    unsteady: row.id === "c4" ? [3] : [],
    warnings: [],
    notices: row.id === "c4" ? [{ kind: "client thread saturated", figures: "97 % of one core", advice: "use more threads", trials: 3, of: 10 }, { kind: "steal", figures: "1.2 % of the host", advice: "", trials: 1, of: 10 }] : [],
  };
}

const MEASURED: Row[] = [
  { id: "c1", path: "same_container", proxy: true, tps: 17500, cost: 92, proxyShare: 0, verdict: null, sentence: "", published: 17512.4 },
  { id: "c1-aa", path: "same_container", proxy: true, tps: 17460, cost: 92.4, proxyShare: 0, verdict: "equivalent", sentence: "Equal within 5 %", duplicate: true },
  { id: "c2", path: "same_container", proxy: false, tps: 17610, cost: 91.5, proxyShare: 0, verdict: "equivalent", sentence: "Equal within 5 %", published: 18220.9 },
  { id: "c3", path: "sibling_container", proxy: true, tps: 15120, cost: 108, proxyShare: 0, verdict: "worse", sentence: "tps is 13.6 % lower (95 % CI 12.0 to 15.2)", published: 13966.5 },
  { id: "c4", path: "sibling_container", proxy: false, tps: 15260, cost: 107, proxyShare: 0, verdict: "worse", sentence: "tps is 12.8 % lower (95 % CI 11.1 to 14.4)", published: 15499.1 },
  { id: "c5", path: "published_loopback", proxy: true, tps: 10420, cost: 171, proxyShare: 0.31, verdict: "worse", sentence: "tps is 40.5 % lower (95 % CI 39.3 to 41.5)", published: 10810.9 },
  { id: "c6", path: "published_loopback", proxy: false, tps: 15730, cost: 104, proxyShare: 0, verdict: "worse", sentence: "tps is 10.1 % lower (95 % CI 8.4 to 11.7)", published: 16552.1 },
];

const UNDRAWN: Row[] = [
  { id: "c7", path: "container_address", proxy: true, tps: 0, cost: 0, proxyShare: 0, verdict: null, sentence: "", state: "failed", reason: "10 of 10 trials failed: the server did not answer within 30 s" },
  { id: "c8", path: "container_address", proxy: false, tps: 15900, cost: 103, proxyShare: 0, verdict: "not_enough_rounds", sentence: "No answer: too few rounds (needs n ≥ 6)", state: "partial", n: 4 },
  { id: "c9", path: "published_host_address", proxy: true, tps: 0, cost: 0, proxyShare: 0, verdict: null, sentence: "", state: "contradicted", reason: "expected docker-proxy, but it used no CPU and the server saw the client's own address" },
  { id: "c10", path: "published_host_address", proxy: false, tps: 0, cost: 0, proxyShare: 0, verdict: null, sentence: "", state: "waiting" },
  { id: "c11", path: "published_ipv6_loopback", proxy: true, tps: 9900, cost: 178, proxyShare: 0.3, verdict: "worse", sentence: "tps is 43.4 % lower (95 % CI 42.2 to 44.4)", state: "not_proven", reason: "the DNAT counters could not be read" },
  { id: "c12", path: "published_ipv6_loopback", proxy: false, tps: 0, cost: 0, proxyShare: 0, verdict: null, sentence: "", state: "infeasible", reason: "[::1] is not reachable without docker-proxy" },
];

/** The result with the named rows; "all" holds one cell of every state. */
export function chartModel(kind: "measured" | "all" = "all"): ChartModel {
  const rows = kind === "measured" ? MEASURED : [...MEASURED, ...UNDRAWN];
  return {
    schema_version: 2,
    run_id: "run_0123456789abcdef",
    origin: "measured",
    experiment_id: "exp_0123456789abcdef",
    name: "pachot-2019",
    title: "docker-proxy under a chatty database client",
    state: kind === "measured" ? "done" : "incomplete",
    seed: 20190101,
    rounds_planned: ROUNDS,
    rounds_complete: ROUNDS,
    margin: 0.05,
    row_factor: "path",
    series_factor: "userland_proxy",
    legend: [
      { level: "true", label: "proxy on", color: 0, shape: 0 },
      { level: "false", label: "proxy off", color: 1, shape: 1 },
    ],
    headline: "published_loopback, proxy on is 40.5 % slower than same_container, proxy on (95 % CI −41.5 % to −39.3 %, 10 rounds), and takes 1.86 times the CPU per transaction (95 % CI 1.82 to 1.89).",
    counts: { better: 0, worse: 4, equivalent: 1, undecided: kind === "all" ? 1 : 0, failed: kind === "all" ? 2 : 0, infeasible: kind === "all" ? 1 : 0 },
    axes: [
      { metric: "tps", label: "transactions per second", unit: "1/s", better: "higher", domain: [0, 20000], zoom: [9000, 19000], decimals: 0 },
      { metric: "cpu_us_per_txn", label: "CPU per transaction, all roles", unit: "µs", better: "lower", domain: [0, 200], zoom: [80, 190], decimals: 1 },
    ],
    cores: CORES,
    cells: rows.map(cell),
    duplicates: [{ cell_id: "c1-aa", metric: "tps", ratio: 0.998, interval: { low: 0.985, high: 1.011 }, p: 0.492, outcome: "within_margin", suspect: false, sentence: "The same cell, measured twice, does not differ: ratio 0.998 (95 % CI 0.985 to 1.011)." }],
    drifts: [],
    best: [],
    ladders: [],
    knees: [],
    gate: null,
    interim_analyses: null,
    looks: null,
    reduced: null,
    study: {
      name: "pachot-2019",
      title: "High CPU usage in docker-proxy with a chatty database application",
      author: "Franck Pachot",
      year: 2019,
      citation: "Franck Pachot, 2019",
      environment: "CentOS 7.6, Docker 18.09, 4 cores, postgres:latest",
      claims: [
        { text: "docker-proxy slows the docker-host client by about 40 %", outcome: "reproduced", detail: "measured 40.5 % (95 % CI 39.3 to 41.5)" },
        { text: "without docker-proxy all placements lie within about 10 % of each other", outcome: "contradicted", detail: "the widest pair differs by 13.3 % (95 % CI 11.9 to 14.8)" },
        { text: "docker-proxy is among the top processes during the docker-host run", outcome: "undecided", detail: "top was not run; docker-proxy used 0.62 cores" },
      ],
    },
    warnings: [],
    notices: [{ sentence: "The host was changed while this ran.", cell_id: null }],
    environment: { kernel: "6.1.0-38-amd64", docker: "20.10.24", cpu: "AMD EPYC 7B13", cores: "4", governor: "performance", iptables: "nft", postgres: "15.14", pgbench: "15.14" },
  };
}

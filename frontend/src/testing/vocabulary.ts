/** A vocabulary for tests, with factors that need levels of others. */
import type { Factor, Factors } from "@/api/types";

function factor(name: string, more: Partial<Factor> = {}): Factor {
  return { name, label: name, unit: "", default: "", choices: [], minimum: null, maximum: null, scope: "tool", needs: [], pattern: null, about: "", ...more };
}

const of = (name: string, ...levels: Factor["choices"]) => [{ factor: name, levels }];

const PATHS = ["same_container", "sibling_container", "published_loopback", "nginx_stream", "macvlan", "published_remote"];

export const VOCABULARY: Factors = {
  factors: [
    factor("path", { scope: "path", default: "published_loopback", choices: PATHS }),
    factor("userland_proxy", { scope: "path", label: "userland-proxy", default: true, choices: [true, false] }),
    factor("proxy_program", { scope: "path", label: "proxy program", default: "docker-proxy", pattern: "^[a-z-]+$", needs: of("userland_proxy", true) }),
    factor("tool", { default: "pgbench", choices: ["pgbench", "wrk", "ab", "iperf3"] }),
    factor("service", { scope: "service", default: "postgres", choices: ["postgres", "pong", "flask", "iperf3_server"] }),
    factor("clients", { default: 5, minimum: 1, maximum: 200 }),
    factor("protocol", { default: "prepared", choices: ["simple", "prepared"], needs: of("tool", "pgbench") }),
    factor("transport", { default: "tcp", choices: ["tcp", "udp"], needs: of("tool", "iperf3") }),
    factor("udp_mbit_s", { label: "offered UDP rate", unit: "Mbit/s", default: 1000, minimum: 1, maximum: 100_000, needs: of("transport", "udp") }),
    factor("fsync", { scope: "service", default: true, choices: [true, false], needs: of("service", "postgres") }),
    factor("gomaxprocs", { scope: "service", default: 0, minimum: 0, maximum: 256, needs: of("service", "pong") }),
    factor("front_workers", { scope: "front", default: 1, minimum: 1, maximum: 64, needs: of("path", "nginx_stream") }),
    factor("server_cpuset", { scope: "limits", label: "server's cpuset", pattern: "^[0-9,-]*$", about: "for example 0-1" }),
    factor("duration_s", { scope: "time", label: "duration", unit: "s", default: 10, minimum: 1, maximum: 3600 }),
  ],
  tools: [
    { name: "pgbench", services: ["postgres"], rate: "tps", needs_tcp: false },
    { name: "wrk", services: ["pong", "flask"], rate: "rps", needs_tcp: true },
    { name: "ab", services: ["pong", "flask"], rate: "rps", needs_tcp: true },
    { name: "iperf3", services: ["iperf3_server"], rate: "throughput_gbit_s", needs_tcp: true },
  ],
  paths: PATHS.map((name) => ({ name, title: name, summary: `what ${name} is`, services: name === "macvlan" ? ["postgres"] : [], hops: { on: ["loopback"], off: ["loopback"] }, unreachable: "", two_hosts: name === "published_remote" })),
  metrics: [
    { name: "tps", label: "transactions per second", unit: "1/s", better: "higher", tools: ["pgbench"] },
    { name: "rps", label: "requests per second", unit: "1/s", better: "higher", tools: ["wrk", "ab"] },
    { name: "throughput_gbit_s", label: "throughput", unit: "Gbit/s", better: "higher", tools: ["iperf3"] },
    { name: "cpu_us_per_txn", label: "CPU per transaction", unit: "µs", better: "lower", tools: ["pgbench", "wrk", "ab", "iperf3"] },
    { name: "latency_avg_ms", label: "mean latency", unit: "ms", better: "lower", tools: ["pgbench", "wrk", "ab"] },
  ],
};

/** Returns one factor of VOCABULARY. */
export function named(name: string): Factor {
  const found = VOCABULARY.factors.find((each) => each.name === name);
  if (!found) throw new Error(`no factor ${name}`);
  return found;
}

"""Reports of every tool made from figures, after the printing functions of their sources, and these figures.

Versions: pgbench 9.6 to 17 (printResults, printProgressReport), wrk 4.0 to 4.2 (main, print_stats,
print_stats_latency, print_units, format_time_us), ab 2.2 to 2.4 (output_results), iperf3 3.1 to 3.17 (-J).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

SCRIPTS = ("<builtin: select only>", "<builtin: TPC-B (sort of)>", "my script.sql", "multiple scripts")
Draw = Callable[[st.SearchStrategy[Any]], Any]


@dataclass(frozen=True)
class Made:
    """A report, and every metric that it prints; `series` are times, rates and latencies of progress lines.

    `coarse`: the relative error of two decimals.
    """

    tool: str
    stdout: str
    metrics: dict[str, float]
    operations: int
    failed: int = 0
    stderr: str = ""
    series: list[tuple[float, float, float | None]] = field(default_factory=list)
    coarse: float = 1e-9


def _positive(draw: Draw, least: float, most: float, digits: int) -> float:
    scaled = draw(st.integers(max(1, round(least * 10**digits)), round(most * 10**digits)))
    return float(scaled) / 10**digits


@st.composite
def pgbench(draw: Draw) -> Made:
    """pgbench of one version, with the options that change its report."""
    version = draw(st.sampled_from([9.6, 10, 11, 12, 13, 14, 15, 16, 17]))
    timed, measured, reconnect = (draw(st.booleans()) for _ in range(3))
    limited = measured and draw(st.booleans())
    offered = measured and draw(st.booleans())
    clients, done = draw(st.integers(1, 200)), draw(st.integers(1, 10**9))
    tries = draw(st.sampled_from([1, 3])) if version >= 15 else 1
    failed = draw(st.integers(0, 10**6)) if version >= 15 and timed else 0
    skipped = draw(st.sampled_from([0, 0, 17])) if offered and limited and timed else 0
    duration = draw(st.integers(1, 3600))
    most = min(1e6, done / duration) if timed else 1e6
    tps, including = _positive(draw, most / 1e3, most, 6), _positive(draw, most / 1e3, most, 6)
    # Clients that send when their last answer has come are busy for most of the time; by -R they wait.
    busy = draw(st.floats(0.15, 1.0)) if not offered else draw(st.floats(0.01, 100.0))
    latency, stddev = max(0.001, round(1e3 * clients / tps * busy, 3)), _positive(draw, 0.001, 1e4, 3)
    lines = [f"pgbench ({version:g}.3)"] if version >= 14 else []
    lines += draw(st.sampled_from([[], ["starting vacuum...end."]]))
    lines += [
        f"transaction type: {draw(st.sampled_from(SCRIPTS))}",
        f"scaling factor: {draw(st.integers(1, 1000))}",
        f"query mode: {draw(st.sampled_from(['simple', 'extended', 'prepared']))}",
        f"number of clients: {clients}",
        f"number of threads: {draw(st.integers(1, clients))}",
    ]
    if version >= 15:
        lines.append(f"maximum number of tries: {tries}")
    if timed:
        lines += [
            f"duration: {duration} s",
            f"number of transactions actually processed: {done}",
        ]
    else:
        lines += [f"number of transactions per client: {done}"]
        lines += [f"number of transactions actually processed: {done}/{done}"]
    share = "%" if version >= 15 else " %"
    if version >= 15:
        lines.append(f"number of failed transactions: {failed} ({100 * failed / (failed + done):.3f}%)")
        if draw(st.booleans()):
            lines.append(
                f"number of serialization failures: {failed} ({100 * failed / (failed + done):.3f}%)"
            )
            lines.append("number of deadlock failures: 0 (0.000%)")
        if tries > 1:
            retried = draw(st.integers(0, 10**6))
            lines += [
                f"number of transactions retried: {retried} (1.000%)",
                f"total number of retries: {retried}",
            ]
    if offered and limited:
        lines.append(f"number of transactions skipped: {skipped} (0.100{share})")
    if limited:
        of = f"/{done}" if version >= 12 else ""
        lines.append(f"number of transactions above the 10.0 ms latency limit: 3{of} (0.100{share})")
    lines.append(
        f"latency average = {latency:.3f} ms" + (" (including failures)" if failed and not measured else "")
    )
    if measured:
        lines.append(f"latency stddev = {stddev:.3f} ms")
    if offered:
        lines.append("rate limit schedule lag: avg 0.130 (max 5.213) ms")
    if version >= 14 and reconnect:
        lines += ["average connection time = 4.814 ms", f"tps = {tps:.6f} (including reconnection times)"]
    elif version >= 14:
        lines += ["initial connection time = 14.350 ms", f"tps = {tps:.6f} (without initial connection time)"]
    else:
        lines += [f"tps = {including:.6f} (including connections establishing)"]
        lines += [f"tps = {tps:.6f} (excluding connections establishing)"]
    if draw(st.booleans()):
        lines += [
            "statement latencies in milliseconds:",
            "         0.123  SELECT abalance FROM pgbench_accounts",
        ]
    metrics = {"tps": tps}
    if measured and not skipped:
        metrics["open_latency_avg_ms" if offered else "latency_avg_ms"] = latency
    progress, series = _progress(draw, version) if measured else ("", [])
    return Made("pgbench", "\n".join(lines) + "\n", metrics, done, failed, progress, series)


def _progress(draw: Draw, version: float) -> tuple[str, list[tuple[float, float, float | None]]]:
    every, stamped = draw(st.sampled_from([1, 5, 10])), draw(st.booleans())
    lines, series = [], []
    for number in range(1, draw(st.integers(2, 6)) + 1):
        rate = draw(st.sampled_from([0.0, 1.5, 20_000.4]))
        latency = _positive(draw, 0.001, 1e3, 3) if rate else 0.0
        t = f"{1764990100 + every * number:.3f}" if stamped else f"{every * number:.1f}"
        shown = f"{latency:.3f}" if rate or version >= 12 else "-nan"
        lines.append(
            f"progress: {t} s, {rate:.1f} tps, lat {shown} ms stddev {shown}"
            + (", 0 failed" if version >= 15 else "")
            + "\n"
        )
        series.append((float(every * number), rate, latency or None))
    return "".join(lines), series


def wrk_time(us: float) -> str:
    """format_time_us of units.c."""
    if us < 1e3:
        return f"{us:.2f}us"
    if us < 1e6:
        return f"{us / 1e3:.2f}ms"
    seconds = us / 1e6
    if seconds < 60:
        return f"{seconds:.2f}s"
    return f"{seconds / 60:.2f}m" if seconds < 3600 else f"{seconds / 3600:.2f}h"


def padded(text: str, width: int) -> str:
    """print_units of wrk.c: right-aligned, with a blank for each letter that the unit is short of two."""
    pad = 2 - (text[-1].isalpha()) - (text[-2].isalpha())
    return text.rjust(width - pad) + " " * pad


def _stats(name: str, mean: str, deviation: str, most: str, within: float) -> str:
    """print_stats of wrk.c."""
    return f"    {name:<10}{padded(mean, 8)}{padded(deviation, 10)}{padded(most, 9)}{within:8.2f}%"


@st.composite
def wrk(draw: Draw) -> Made:
    """wrk's own text with and without --latency."""
    threads = draw(st.integers(1, 32))
    connections, requests = threads * draw(st.integers(1, 20)), draw(st.integers(10, 10**8))
    rate = _positive(draw, 0.1, 1e6, 2)
    most = min(10.0, math.log10(1e6 * requests / rate))
    logs = sorted(draw(st.lists(st.floats(min(0.5, most), most), min_size=5, max_size=5)))
    p50, p75, p90, p99, longest = (10.0**log for log in logs)
    mean = max(p50, p99 / 50, 0.002 * connections / rate * 1e6)
    longest = max(longest, mean)
    errors = draw(st.sampled_from([None, (0, 3, 0, 2)]))
    status = draw(st.sampled_from([0, 0, 5]))
    good = requests - status - (errors[3] if errors else 0)
    shown = draw(st.booleans())
    seconds = draw(st.sampled_from(["10s", "1m", "2h"]))
    lines = [
        f"Running {seconds} test @ http://10.0.0.5:8102/get",
        f"  {threads} threads and {connections} connections",
        "  Thread Stats   Avg      Stdev     Max   +/- Stdev",
        _stats("Latency", wrk_time(mean), wrk_time(mean), wrk_time(longest), 90.02),
        _stats("Req/Sec", "24.11k", "2.90", "31.20k", 71.33),
    ]
    if shown:
        lines.append("  Latency Distribution")
        lines += [
            f"{share:7d}%{padded(wrk_time(us), 10)}"
            for share, us in ((50, p50), (75, p75), (90, p90), (99, p99))
        ]
    lines.append(f"  {requests} requests in {wrk_time(requests / rate * 1e6)}, 659.13MB read")
    if errors:
        lines.append("  Socket errors: connect {}, read {}, write {}, timeout {}".format(*errors))
    if status:
        lines.append(f"  Non-2xx or 3xx responses: {status}")
    lines += [f"Requests/sec: {rate:9.2f}", f"Transfer/sec: {'10.97M':>10}B"]
    metrics = {"rps": rate * good / requests, "latency_avg_ms": mean / 1e3, "latency_max_ms": longest / 1e3}
    if shown:
        metrics |= {"latency_p50_ms": p50 / 1e3, "latency_p99_ms": p99 / 1e3}
    failed = status + (sum(errors) if errors else 0)
    return Made("wrk", "\n".join(lines) + "\n", metrics, good, failed, coarse=0.006)


@st.composite
def ab(draw: Draw) -> Made:
    """ab with and without -k, -d and -S, with failures."""
    complete = draw(st.integers(100, 10**6))
    taken = max(0.001, complete / draw(st.one_of(st.integers(1, 500), st.integers(1, 100_000))))
    clients = draw(st.integers(1, 64))
    keep, table, plain = (draw(st.booleans()) for _ in range(3))
    receive, exceptions, status = (draw(st.sampled_from([0, 0, 7])) for _ in range(3))
    length = draw(st.sampled_from([0, 0, 11]))
    mean = 1e3 * clients * taken / complete
    factors = draw(st.lists(st.floats(0.2, 1.5), min_size=9, max_size=9))
    shares = sorted(round(mean * factor) for factor in factors)
    rate = float(f"{complete / taken:.2f}")
    version = draw(st.sampled_from(["2.2", "2.3"]))
    lines = [
        f"This is ApacheBench, Version {version} <$Revision: 1913912 $>",
        "",
        "Benchmarking 127.0.0.1 (be patient).....done",
        "",
        "Server Software:        ",
        "Document Path:          /ping",
        "",
        f"Concurrency Level:      {clients}",
        f"Time taken for tests:   {taken:.3f} seconds",
        f"Complete requests:      {complete}",
        f"Failed requests:        {receive + exceptions + length}",
    ]
    if receive + exceptions + length:
        lines.append(f"   (Connect: 0, Receive: {receive}, Length: {length}, Exceptions: {exceptions})")
    lines += [f"Non-2xx responses:      {status}"] if status else []
    lines += [f"Keep-Alive requests:    {complete}"] if keep else []
    lines += [
        f"Requests per second:    {rate:.2f} [#/sec] (mean)",
        f"Time per request:       {mean:.3f} [ms] (mean)",
        f"Time per request:       {mean / clients:.3f} [ms] (mean, across all concurrent requests)",
        "Transfer rate:          2069.85 [Kbytes/sec] received",
        "",
        "Connection Times (ms)",
        "              min   avg   max" if plain else "              min  mean[+/-sd] median   max",
        "Total:          0    0     3" if plain else "Total:          0    0   0.1      0       3",
    ]
    if table:
        lines += ["", "Percentage of the requests served within a certain time (ms)"]
        percents = (50, 66, 75, 80, 90, 95, 98, 99, 100)
        lines += [
            f" {percent:3d}%  {ms:5d}{' (longest request)' if percent == 100 else ''}"
            for percent, ms in zip(percents, shares, strict=True)
        ]
    good = complete - receive - exceptions - status
    named = {"latency_p50_ms": shares[0], "latency_p99_ms": shares[7], "latency_max_ms": shares[8]}
    metrics = {"rps": rate * good / complete}
    if table:
        metrics |= {name: float(ms) for name, ms in named.items() if ms >= 10}
    return Made("ab", "\n".join(lines) + "\n", metrics, good, receive + exceptions + status)


@st.composite
def iperf3(draw: Draw) -> Made:
    """iperf3 -J: TCP, and UDP before and from 3.12 on."""
    version = draw(st.sampled_from(["3.1.3", "3.7", "3.9", "3.12", "3.16", "3.17.1"]))
    udp, streams = draw(st.booleans()), draw(st.integers(1, 8))
    new = tuple(int(part) for part in version.split(".")[:2]) >= (3, 12)
    duration, bits = draw(st.integers(1, 20)), _positive(draw, 1e8, 1e11, 1)
    size = bits * duration / 8
    total = {"start": 0, "end": duration, "seconds": duration, "bytes": size, "bits_per_second": bits}
    again = draw(st.sampled_from([0, 17, -1]))
    requested = {
        "protocol": "UDP" if udp else "TCP", "num_streams": streams, "blksize": 1350, "omit": 0,
        "duration": duration, "bytes": 0, "blocks": 0, "reverse": draw(st.sampled_from([0, 1])),
    }  # fmt: skip
    metrics = {"throughput_gbit_s": bits / 1e9}
    end: dict[str, Any]
    if udp:
        packets, lost = max(10_000, round(size / 1350)), draw(st.integers(0, 9_000))
        quality = {
            "jitter_ms": draw(st.sampled_from([0.0, 0.006, 1.5])), "lost_packets": lost, "packets": packets,
            "lost_percent": 100 * lost / packets,
        }  # fmt: skip
        metrics |= {name: quality[name] for name in ("jitter_ms", "lost_percent")}
        end = {"sum": total | quality}
        if new:
            end |= {"sum_sent": total | {"jitter_ms": 0}, "sum_received": total | quality}
        else:
            metrics["throughput_gbit_s"] *= 1 - lost / packets
            size *= 1 - lost / packets
    else:
        end = {"sum_sent": total | {"retransmits": again}, "sum_received": total}
        metrics |= {"retransmits": again} if again >= 0 else {}
    end["cpu_utilization_percent"] = {"host_total": 50.5, "remote_total": 20.1}
    seconds = [
        {"streams": [], "sum": total | {"end": n, "seconds": 1, "omitted": False}}
        for n in range(1, duration + 1)
    ]
    report = {
        "start": {"version": f"iperf {version}", "test_start": requested},
        "intervals": seconds,
        "end": end,
    }
    indent = draw(st.sampled_from([None, 1, "\t"]))
    text = json.dumps(report, indent=indent, separators=None if indent != "\t" else (",", ":\t"))
    series = [(float(n), bits / 1e9, None) for n in range(1, duration + 1)]
    return Made("iperf3", text + "\n", metrics, round(size / 1e6), 0, "", series)


MADE = {"pgbench": pgbench(), "wrk": wrk(), "ab": ab(), "iperf3": iperf3()}

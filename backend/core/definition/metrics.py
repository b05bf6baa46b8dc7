"""The metrics that a trial reports: one row a metric."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from backend.core.definition.catalog import TOOLS
from backend.core.definition.factors import Level
from backend.core.messages.message import Message, key, named


@dataclass(frozen=True)
class Metric:
    """One quantity observed in a trial: its name, unit, better direction, and the tools that report it.

    `needs_rate`: reported only at an offered rate (`rate` > 0); `no_rate`: only without one.
    """

    name: str
    label: str
    unit: str
    better: Literal["higher", "lower"]
    tools: tuple[str, ...] = TOOLS
    needs_rate: bool = False
    no_rate: bool = False

    @property
    def title(self) -> Message:
        """The label as a message."""
        return named(key("metric", self.name), self.label)

    @property
    def comparatives(self) -> tuple[str, str]:
        """The words for more and for less: "faster" and "slower" for rates, else "higher" and "lower"."""
        return ("faster", "slower") if self.unit in ("1/s", "Gbit/s") else ("higher", "lower")

    def applies(self, levels: Mapping[str, Level]) -> bool:
        """Whether trials of a cell with these levels can report it: by their tool and their offered rate."""
        tool, offered = levels.get("tool"), int(levels.get("rate", 0)) > 0
        fits = tool is None or tool in self.tools
        return fits and not (self.no_rate if offered else self.needs_rate)


_PGBENCH, _HTTP, _WRK, _IPERF3 = ("pgbench",), ("wrk", "ab"), ("wrk",), ("iperf3",)


def _open(name: str, what: str) -> Metric:
    """A latency counted from the scheduled start of a transaction, so that it includes the client's delay."""
    label = f"{what} (open loop, from the scheduled start)"
    return Metric(f"open_latency_{name}_ms", label, "ms", "lower", _PGBENCH, needs_rate=True)


def _closed(name: str, label: str) -> Metric:
    """A latency counted from the actual start of a transaction or request."""
    return Metric(name, label, "ms", "lower", (*_PGBENCH, *_HTTP), no_rate=True)


METRICS: Final[dict[str, Metric]] = {
    metric.name: metric
    for metric in (
        Metric("tps", "transactions per second", "1/s", "higher", _PGBENCH),
        Metric("rps", "requests per second", "1/s", "higher", _HTTP),
        Metric("throughput_gbit_s", "throughput", "Gbit/s", "higher", _IPERF3),
        Metric("cpu_us_per_txn", "CPU per transaction (client, server, proxy and kernel)", "µs", "lower"),
        Metric("cpu_cores", "CPU (client, server, proxy and kernel)", "cores", "lower"),
        Metric("host_cpu_us_per_txn", "CPU per transaction (whole host, other processes too)", "µs", "lower"),
        Metric("host_cpu_cores", "CPU of the whole host", "cores", "lower"),
        Metric("other_cpu_cores", "CPU of other processes", "cores", "lower"),
        Metric("proxy_cpu_us_per_txn", "CPU per transaction, proxy", "µs", "lower"),
        Metric("server_cpu_us_per_txn", "CPU per transaction, server", "µs", "lower"),
        Metric("client_cpu_us_per_txn", "CPU per transaction, client", "µs", "lower"),
        Metric("proxy_cpu_cores", "CPU of the proxy", "cores", "lower"),
        Metric("server_cpu_cores", "CPU of the server", "cores", "lower"),
        Metric("client_cpu_cores", "CPU of the client", "cores", "lower"),
        _closed("latency_avg_ms", "mean latency (closed loop)"),
        _closed("latency_p50_ms", "median latency (closed loop)"),
        _closed("latency_p99_ms", "99th percentile of latency (closed loop)"),
        Metric("latency_max_ms", "longest latency (closed loop)", "ms", "lower", _HTTP),
        _open("avg", "mean latency"),
        _open("p50", "median latency"),
        _open("p90", "90th percentile of latency"),
        _open("p99", "99th percentile of latency"),
        _open("p999", "99.9th percentile of latency"),
        _open("max", "longest latency"),
        Metric("context_switches_per_txn", "context switches per transaction, host", "switches", "lower"),
        Metric("server_switches_per_txn", "context switches per transaction, server", "switches", "lower"),
        Metric("client_switches_per_txn", "context switches per transaction, client", "switches", "lower"),
        Metric("retransmits", "TCP segments sent again", "segments", "lower", _IPERF3),
        Metric("jitter_ms", "UDP jitter", "ms", "lower", _IPERF3),
        Metric("lost_percent", "UDP datagrams lost", "%", "lower", _IPERF3),
    )
}
"""Every metric by name, in the order in which they are shown. A transaction (`txn`) is one of pgbench, an
HTTP request of wrk and ab, or 10^6 bytes at the receiver of iperf3."""

RATES: Final = {"pgbench": "tps", "wrk": "rps", "ab": "rps", "iperf3": "throughput_gbit_s"}
"""The rate that each tool reports."""

"""The metrics that a trial yields: one row a metric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal


@dataclass(frozen=True)
class Metric:
    """One observed quantity of a trial: its name, unit and better direction."""

    name: str
    label: str
    unit: str
    better: Literal["higher", "lower"]

    @property
    def comparatives(self) -> tuple[str, str]:
        """The words for more and for less of it: a rate is faster or slower, the rest higher or lower."""
        return ("faster", "slower") if self.unit == "1/s" else ("higher", "lower")


METRICS: Final[dict[str, Metric]] = {
    metric.name: metric
    for metric in (
        Metric("tps", "transactions per second", "1/s", "higher"),
        Metric("cpu_us_per_txn", "CPU per transaction, all roles", "µs", "lower"),
        Metric("cpu_cores", "CPU of the host", "cores", "lower"),
        Metric("proxy_cpu_us_per_txn", "CPU per transaction, proxy", "µs", "lower"),
        Metric("server_cpu_us_per_txn", "CPU per transaction, server", "µs", "lower"),
        Metric("client_cpu_us_per_txn", "CPU per transaction, client", "µs", "lower"),
        Metric("latency_avg_ms", "mean latency (closed loop)", "ms", "lower"),
        Metric("context_switches_per_txn", "context switches per transaction, host", "switches", "lower"),
    )
}
"""Every metric by name, in the order in which they are shown."""

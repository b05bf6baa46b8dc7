"""From a tool's result and the counters of its window to the metrics of `core.definition.metrics`."""

from __future__ import annotations

from collections.abc import Mapping

from backend.core.sample.pgbench import PgbenchResult
from backend.core.sample.record import CpuByRole


def metrics(
    result: PgbenchResult, cpu: CpuByRole, seconds: float, counters: Mapping[str, int]
) -> dict[str, float]:
    """The metrics of one trial. A metric that was not observed is absent, never 0.

    CPU per transaction counts every transaction of the window: the numerator is core-seconds × 10⁶,
    of the whole host for `cpu_us_per_txn` and of one role for the others.
    """
    per_txn = 1e6 / result.transactions
    found = {
        "tps": result.tps,
        "cpu_us_per_txn": cpu.host_busy * per_txn,
        "cpu_cores": cpu.host_busy / seconds,
        "proxy_cpu_us_per_txn": cpu.roles["proxy"] * per_txn,
        "server_cpu_us_per_txn": cpu.roles["server"] * per_txn,
        "client_cpu_us_per_txn": cpu.roles["client"] * per_txn,
    }
    if result.latency_measured and result.latency_avg_ms is not None:
        found["latency_avg_ms"] = result.latency_avg_ms
    if "context_switches" in counters:
        found["context_switches_per_txn"] = counters["context_switches"] / result.transactions
    return {name: round(value, 6) for name, value in found.items()}

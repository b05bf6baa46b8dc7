"""From a tool's result and the counters of its window to the metrics of `core.definition.metrics`."""

from __future__ import annotations

from collections.abc import Mapping

from backend.core.definition.metrics import METRICS
from backend.core.sample.record import CpuByRole, Role
from backend.core.sample.result import ToolResult

REPORTED: tuple[Role, ...] = ("proxy", "server", "client")


def metrics(
    result: ToolResult,
    cpu: CpuByRole,
    seconds: float,
    counters: Mapping[str, int],
    switches: Mapping[Role, int],
) -> dict[str, float]:
    """The metrics of one trial that its tool yields, in their order. One that was not observed is absent.

    Figures per transaction count every operation of the window: CPU is core-seconds × 10⁶, of the whole
    host for `cpu_us_per_txn` and of one role for the others. `switches` are context switches by role,
    `counters["context_switches"]` those of the host.
    """
    found = dict(result.metrics)
    found["cpu_us_per_txn"] = cpu.host_busy * 1e6 / result.operations
    found["cpu_cores"] = cpu.host_busy / seconds
    for role in REPORTED:
        if role in cpu.roles:
            found[f"{role}_cpu_us_per_txn"] = cpu.roles[role] * 1e6 / result.operations
            found[f"{role}_cpu_cores"] = cpu.roles[role] / seconds
        if role in switches:
            found[f"{role}_switches_per_txn"] = switches[role] / result.operations
    if "context_switches" in counters:
        found["context_switches_per_txn"] = counters["context_switches"] / result.operations
    return {
        name: round(found[name], 6)
        for name, metric in METRICS.items()
        if name in found and result.tool in metric.tools
    }

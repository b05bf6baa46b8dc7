"""From a tool's result and the counters of its window to the metrics of `core.definition.metrics`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from backend.core.definition.metrics import METRICS
from backend.core.sample.record import ByRole, CpuByRole, Role
from backend.core.sample.result import ToolResult

REPORTED: Final[tuple[Role, ...]] = ("proxy", "server", "client")
COUNTED: Final[tuple[Role, ...]] = ("client", "server", "proxy", "kernel")
"""The roles whose CPU is the cost of a transaction: without other processes of the host."""
WHOLE_HOST: Final = "host_cpu_us_per_txn"


def metrics(
    result: ToolResult,
    cpu: CpuByRole,
    seconds: float,
    counters: Mapping[str, int],
    switches: Mapping[Role, int],
) -> dict[str, float]:
    """The metrics of one trial that its tool yields, in their order. One that was not observed is absent.

    Figures per transaction count every operation of the window: CPU is core-seconds × 10⁶. `switches` are
    context switches by role, `counters["context_switches"]` those of the host. A figure that would divide
    by zero or is not finite is absent.
    """
    found = dict(result.metrics) | costs(cpu.roles, result.operations, seconds)
    for role in REPORTED:
        if role in cpu.roles:
            found |= _per(f"{role}_cpu_us_per_txn", cpu.roles[role] * 1e6, result.operations)
            found |= _per(f"{role}_cpu_cores", cpu.roles[role], seconds)
        if role in switches:
            found |= _per(f"{role}_switches_per_txn", switches[role], result.operations)
    if "context_switches" in counters:
        found |= _per("context_switches_per_txn", counters["context_switches"], result.operations)
    return {
        name: round(found[name], 6)
        for name, metric in METRICS.items()
        if name in found and result.tool in metric.tools and math.isfinite(found[name])
    }


def costs(roles: ByRole, operations: int, seconds: float) -> dict[str, float]:
    """The cost of a transaction in µs and cores (client, server, proxy and kernel), and the whole host's.

    `roles` are core-seconds, as in CpuByRole. The same for a window that has just ended and for a record of
    any age, so that old and new runs can be compared.
    """
    own, host = sum(roles.get(role, 0.0) for role in COUNTED), sum(roles.values())
    return {
        **_per("cpu_us_per_txn", own * 1e6, operations),
        **_per("cpu_cores", own, seconds),
        **_per(WHOLE_HOST, host * 1e6, operations),
        **_per("host_cpu_cores", host, seconds),
        **_per("other_cpu_cores", roles.get("other", 0.0), seconds),
    }


def with_costs(
    recorded: Mapping[str, float], roles: ByRole, operations: int, seconds: float
) -> dict[str, float]:
    """A record's metrics with `costs` by today's definition.

    Records without WHOLE_HOST have the cost of the whole host under the name of the transaction's own.
    Metrics that have no cost of a transaction, such as imported ones, stay as they are.
    """
    if "cpu_us_per_txn" not in recorded or not roles:
        return dict(recorded)
    found = costs(roles, operations, seconds)
    return {**recorded, **{name: round(value, 6) for name, value in found.items()}}


def _per(name: str, value: float, of: float) -> dict[str, float]:
    return {name: value / of} if of > 0 else {}

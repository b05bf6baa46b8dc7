"""The interface of a tool: command line, number of connections, limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from backend.core.definition.factors import Level
from backend.core.workload.latency_log import LatencyLog
from backend.core.workload.target import Target

Run = Callable[[Mapping[str, Level], Target, int], tuple[str, ...]]


def without_log(_levels: Mapping[str, Level], _prefix: str) -> LatencyLog | None:
    """None: the tool reports its latencies itself."""
    return None


@dataclass(frozen=True)
class Tool:
    """One tool. `run(levels, target, seconds)` is its argv, without a shell.

    `connections(levels)` is the number of concurrent connections while it runs. `refuse(levels)`
    says why the tool cannot run, or would silently run something else, with these levels; or None.
    `needs_tcp`: it cannot use a Unix socket. `log(levels, prefix)` is the log of single transactions that
    the measured run (not its warm-up) writes to files whose names begin with `prefix`, or None.
    """

    name: str
    services: tuple[str, ...]
    run: Run
    connections: Callable[[Mapping[str, Level]], int]
    refuse: Callable[[Mapping[str, Level]], str | None]
    needs_tcp: bool
    log: Callable[[Mapping[str, Level], str], LatencyLog | None] = without_log

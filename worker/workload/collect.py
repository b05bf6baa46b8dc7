"""Collect: the log that a measured command left where it ran becomes a histogram, and the log goes."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from backend.core.sample.record import Command
from backend.core.workload.latency_log import LatencyLog
from worker.topology.clients import ClientLocation
from worker.workload.command import Pump, Purpose, bounded
from worker.workload.hooks import Hooks, NoHooks

PREFIX = "/tmp/plimsoll-log-"
"""In the client's own tmpfs."""
LIMIT_S = 60.0


def collect(location: ClientLocation, log: LatencyLog, hooks: Hooks) -> Command:
    """Run where the client ran, after the window; the log is gone then. Raises TrialFailed or Stopped."""
    return _run(location, log.collect, "collect", hooks)


def discard(location: ClientLocation, log: LatencyLog) -> None:
    """Remove what a failed or stopped command has logged. An engine that is gone took it with it."""
    with contextlib.suppress(Exception):
        _run(location, log.remove, "collect", NoHooks())


def _run(location: ClientLocation, argv: Sequence[str], purpose: Purpose, hooks: Hooks) -> Command:
    execution = location.engine.execute(location.container, bounded(argv, LIMIT_S))
    pump = Pump(execution, argv, location.container.name, LIMIT_S)
    execution.release()
    return pump.record(purpose, pump.run(hooks))

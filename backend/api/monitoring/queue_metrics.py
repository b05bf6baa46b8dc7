"""Figures of the database and its queue as metrics: read at most every few seconds, whoever scrapes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Final

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from backend.core.errors import Unavailable
from backend.settings import Settings
from backend.store import session
from backend.store.repositories import figures
from backend.store.repositories.figures import Figures, HostFigures

KEPT_S: Final = 5.0

BY_HOST: Final[tuple[tuple[str, str, Callable[[HostFigures], float]], ...]] = (
    ("plimsoll_trials_queued", "Queued trials.", lambda host: host.queued),
    ("plimsoll_trials_running", "Trials that a worker holds.", lambda host: host.running),
    (
        "plimsoll_trial_oldest_queued_seconds",
        "Age of the oldest queued trial; 0 without one.",
        lambda host: host.oldest_queued_s,
    ),
    (
        "plimsoll_worker_last_seen_timestamp_seconds",
        "When the host's worker reported last, in seconds since 1970.",
        lambda host: host.last_seen,
    ),
    (
        "plimsoll_worker_conditions",
        "Faults that the host's worker reports now.",
        lambda host: host.conditions,
    ),
)


class QueueMetrics(Collector):
    """Gauges of the queue, the database and this process's connections. Thread-safe."""

    def __init__(self, settings: Settings, kept_s: float = KEPT_S) -> None:
        self._settings = settings
        self._kept_s = kept_s
        self._lock = threading.Lock()
        self._read_at = float("-inf")
        self._figures: Figures | None = None

    def describe(self) -> list[Metric]:
        """Nothing: registering must not query the database."""
        return []

    def collect(self) -> Iterator[Metric]:
        """The gauges; without an answer of the database only `plimsoll_database_up` 0 and the pool."""
        found = self._current()
        up = 0 if found is None else 1
        yield GaugeMetricFamily("plimsoll_database_up", "Whether the database answers.", value=up)
        use = session.pool_use(self._settings)
        pool = GaugeMetricFamily(
            "plimsoll_database_connections", "The API's connections to the database.", labels=("state",)
        )
        pool.add_metric(("in_use",), use.in_use)
        pool.add_metric(("idle",), use.idle)
        yield pool
        if found is not None:
            yield from _families(found)

    def _current(self) -> Figures | None:
        with self._lock:
            if time.monotonic() - self._read_at >= self._kept_s:
                self._figures = self._read()
                self._read_at = time.monotonic()
            return self._figures

    def _read(self) -> Figures | None:
        try:
            with session.session_scope(self._settings) as opened:
                return figures.read(opened)
        except Unavailable:
            return None


def _families(found: Figures) -> Iterator[Metric]:
    yield GaugeMetricFamily("plimsoll_database_bytes", "Size of the database.", value=found.database_bytes)
    runs = GaugeMetricFamily("plimsoll_runs", "Runs that have not ended.", labels=("state",))
    runs.add_metric(("queued",), found.queued_runs)
    runs.add_metric(("running",), found.running_runs)
    yield runs
    for name, text, value in BY_HOST:
        family = GaugeMetricFamily(name, text, labels=("host",))
        for host in found.hosts:
            family.add_metric((host.name,), value(host))
        yield family

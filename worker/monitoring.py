"""Metrics of this worker: its claims and trials, on a private port of its own."""

from __future__ import annotations

import logging
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector

from backend.monitoring.private_server import PrivateServer, metrics_page
from backend.settings import Settings

log = logging.getLogger(__name__)

BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)


class Monitoring:
    """The metrics of one worker process, and the server that shows them where a port is set."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._server: PrivateServer | None = None
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.claim_seconds = Histogram(
            "plimsoll_claim_duration_seconds",
            "Time of a claim in the database, also of one that found no trial.",
            buckets=BUCKETS,
            registry=self.registry,
        )
        self.record_seconds = Histogram(
            "plimsoll_record_duration_seconds",
            "Time to store one record in the database.",
            buckets=BUCKETS,
            registry=self.registry,
        )
        self.trials = Counter(
            "plimsoll_trials", "Ended attempts of trials by outcome.", ("outcome",), registry=self.registry
        )

    @property
    def port(self) -> int | None:
        """The private port, None while there is none."""
        return None if self._server is None else self._server.port

    def start(self) -> None:
        """Open the private port, if one is set. Raises OSError."""
        if self._settings.worker_metrics_port is None:
            return
        pages = {"/metrics": lambda: metrics_page(self.registry)}
        self._server = PrivateServer(
            self._settings.metrics_address, self._settings.worker_metrics_port, pages
        )
        self._server.start()
        log.info("metrics on http://%s:%d/metrics", self._settings.metrics_address, self._server.port)

    def stop(self) -> None:
        """Close the private port; repeatable."""
        if self._server is not None:
            self._server.stop()
            self._server = None

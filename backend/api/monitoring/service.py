"""The API's metrics registry, and its private port."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable

from prometheus_client import CollectorRegistry, PlatformCollector, ProcessCollector

from backend.api.monitoring.queue_metrics import QueueMetrics
from backend.api.monitoring.request_metrics import RequestMetrics
from backend.api.readiness import Readiness
from backend.monitoring.private_server import Page, PrivateServer, metrics_page
from backend.settings import Settings

logger = logging.getLogger(__name__)


class Monitoring:
    """The metrics of one application, and the server that shows them where a port is set."""

    def __init__(self, settings: Settings, readiness: Callable[[], Readiness]) -> None:
        self._settings = settings
        self._readiness = readiness
        self._server: PrivateServer | None = None
        self.registry = CollectorRegistry()
        self.requests = RequestMetrics(self.registry)
        self.registry.register(QueueMetrics(settings))
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)

    @property
    def port(self) -> int | None:
        """The private port, None while there is none."""
        return None if self._server is None else self._server.port

    def start(self) -> None:
        """Open the private port, if one is set. Raises OSError."""
        if self._settings.metrics_port is None:
            return
        pages = {
            "/metrics": lambda: metrics_page(self.registry),
            "/readyz": self._ready,
            "/healthz": lambda: Page(200, "application/json", b'{"status":"ok"}'),
        }
        self._server = PrivateServer(self._settings.metrics_address, self._settings.metrics_port, pages)
        self._server.start()
        logger.info("metrics on http://%s:%d/metrics", self._settings.metrics_address, self._server.port)

    def stop(self) -> None:
        """Close the private port."""
        if self._server is not None:
            self._server.stop()

    def _ready(self) -> Page:
        found = self._readiness()
        return Page(found.status, "application/json", json.dumps(found.body).encode())

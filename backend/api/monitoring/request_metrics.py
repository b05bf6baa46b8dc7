"""Counts and durations of requests, and the open event streams."""

from __future__ import annotations

import time
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backend.api.access_log import CLIENT_LEFT, method_and_route

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
STREAM: Final = "text/event-stream"


class RequestMetrics:
    """The metrics that `CountRequests` writes."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.requests = Counter(
            "plimsoll_http_requests",
            "Requests by route; status 499: the client left first.",
            ("method", "route", "status"),
            registry=registry,
        )
        self.seconds = Histogram(
            "plimsoll_http_request_duration_seconds",
            "Time to the end of a response; without event streams and long polls, which wait on purpose.",
            ("method", "route"),
            buckets=BUCKETS,
            registry=registry,
        )
        self.streams = Gauge("plimsoll_event_streams", "Open event streams.", registry=registry)


class CountRequests:
    """Counts every request when its response has ended."""

    def __init__(self, app: ASGIApp, metrics: RequestMetrics) -> None:
        self.app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        status, streams = CLIENT_LEFT, False

        async def observe(message: Message) -> None:
            nonlocal status, streams
            if message["type"] == "http.response.start":
                status = message["status"]
                media = MutableHeaders(scope=message).get("content-type", "")
                if media.startswith(STREAM):
                    streams = True
                    self._metrics.streams.inc()
            await send(message)

        try:
            await self.app(scope, receive, observe)
        except Exception:
            status = 500
            raise
        finally:
            if streams:
                self._metrics.streams.dec()
            self._count(scope, status, time.perf_counter() - began, waits=streams or _is_long_poll(scope))

    def _count(self, scope: Scope, status: int, seconds: float, *, waits: bool) -> None:
        method, route = method_and_route(scope)
        known = method if method in METHODS else "other"
        self._metrics.requests.labels(known, route, str(status)).inc()
        if not waits:
            self._metrics.seconds.labels(known, route).observe(seconds)


def _is_long_poll(scope: Scope) -> bool:
    return b"wait=" in scope["query_string"]

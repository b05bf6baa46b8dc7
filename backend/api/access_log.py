"""One log entry per request: method, route, status and time; never the URL, which may contain a token."""

from __future__ import annotations

import logging
import time
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bound_contextvars

from backend.api.client_address import client_address

logger = logging.getLogger(__name__)

IDS: Final = ("run_id", "trial_id", "experiment_id", "share_id")
"""Path parameters that are logged; they are ids, not secrets."""
CLIENT_LEFT: Final = 499
"""Logged as the status of a request whose client left before the response began; nginx's number for it."""
QUIET: Final = frozenset({"/healthz", "/readyz"})
"""Routes that monitoring reads every few seconds: logged at level debug."""
API: Final = "/api/v1"


class AccessLog:
    """Logs every request when its response has ended, and gives the request id to entries made meanwhile."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        status = CLIENT_LEFT

        async def observe(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        with bound_contextvars(request_id=scope.get("state", {}).get("request_id", "")):
            try:
                await self.app(scope, receive, observe)
            except Exception:
                status = 500
                raise
            finally:
                _log(scope, status, time.perf_counter() - began)


def _log(scope: Scope, status: int, seconds: float) -> None:
    method, route = method_and_route(scope)
    level = logging.DEBUG if route in QUIET and status < 500 else logging.INFO
    if not logger.isEnabledFor(level):
        return
    parameters = scope.get("path_params", {})
    fields: dict[str, Any] = {
        "method": method,
        "route": route,
        "status": status,
        "duration_ms": round(seconds * 1000, 1),
        "client": client_address(scope),
    }
    fields |= {name: parameters[name][:64] for name in IDS if name in parameters}
    logger.log(level, "request", extra=fields)


def method_and_route(scope: Scope) -> tuple[str, str]:
    """The method and the template of the route that serves a request; "unmatched" before or without one."""
    template: str | None = getattr(scope.get("route"), "path_format", None)
    if template is None:
        return scope["method"], "unmatched"
    below_api = scope["path"].startswith(f"{API}/") and not template.startswith(API)
    return scope["method"], API + template if below_api else template

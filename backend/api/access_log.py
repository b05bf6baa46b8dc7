"""One log entry per request: method, route, status and time; never the URL, which may contain a token."""

from __future__ import annotations

import logging
import time
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bound_contextvars

from backend.api.client_address import client_address
from backend.store.ids import Prefix, is_id

logger = logging.getLogger(__name__)

IDS: Final[dict[str, Prefix]] = {
    "run_id": "run",
    "trial_id": "trl",
    "experiment_id": "exp",
    "share_id": "shr",
}
"""Path parameters that are logged if they are ids: what somebody put in their place may be a secret."""
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
    given = {name: str(parameters[name]) for name in IDS if name in parameters}
    fields |= {name: value for name, value in given.items() if is_id(IDS[name], value)} | _caller(scope)
    logger.log(level, "request", extra=fields)


def _caller(scope: Scope) -> dict[str, str]:
    """The account, and the token by its prefix, that the guard admitted."""
    actor = getattr(scope.get("state", {}).get("admission"), "actor", None)
    if actor is None:
        return {}
    return {"account": actor.account_id} | (
        {"token_prefix": actor.token_prefix} if actor.token_prefix else {}
    )


def method_and_route(scope: Scope) -> tuple[str, str]:
    """The method and the template of the route that serves a request; "unmatched" before or without one."""
    template: str | None = getattr(scope.get("route"), "path_format", None)
    if template is None:
        return scope["method"], "unmatched"
    below_api = scope["path"].startswith(f"{API}/") and not template.startswith(API)
    return scope["method"], API + template if below_api else template

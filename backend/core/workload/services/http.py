"""The readiness request of the HTTP services."""

from __future__ import annotations

from backend.core.workload.target import Target


def request(path: str, target: Target) -> tuple[str, ...]:
    """One request, over TCP or over a Unix socket."""
    through = ("--unix-socket", target.socket) if target.socket else ()
    host = "localhost" if target.socket else target.url_host
    return ("curl", "--silent", "--fail", "--max-time", "2", *through, f"http://{host}{path}")

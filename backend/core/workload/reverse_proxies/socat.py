"""socat as a TCP relay: one process a connection."""

from __future__ import annotations

from backend.core.topology.deployment import ReverseProxySpec
from backend.core.workload.target import Target

BACKLOG = 256


def command(_spec: ReverseProxySpec, port: int, upstream: Target) -> tuple[str, ...]:
    """Relay 127.0.0.1:port to the upstream."""
    return (
        "socat",
        f"TCP4-LISTEN:{port},bind=127.0.0.1,fork,reuseaddr,nodelay,backlog={BACKLOG}",
        f"TCP4:{upstream.address}:{upstream.port},nodelay",
    )

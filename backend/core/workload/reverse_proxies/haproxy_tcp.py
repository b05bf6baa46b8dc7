"""HAProxy in TCP mode. It splices only where the cell says so; its number of threads is always explicit."""

from __future__ import annotations

from backend.core.topology.deployment import ReverseProxySpec
from backend.core.workload.target import Target

SPLICE = "  option splice-request\n  option splice-response\n"


def command(spec: ReverseProxySpec, port: int, upstream: Target) -> tuple[str, ...]:
    """Relay 127.0.0.1:port to the upstream."""
    text = (
        f"global\n  maxconn 4096\n  nbthread {spec.setting('front_workers')}\n"
        "defaults\n  mode tcp\n  timeout connect 5s\n  timeout client 1h\n  timeout server 1h\n"
        + (SPLICE if spec.setting("front_splice") else "")
        + f"listen front\n  bind 127.0.0.1:{port}\n  server app {upstream.url_host}\n"
    )
    return ("serve-front", "haproxy", text)

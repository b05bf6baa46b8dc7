"""The commands of the reverse proxies, one file for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from backend.core.topology.deployment import ReverseProxySpec
from backend.core.topology.model import ReverseProxyKind
from backend.core.workload.reverse_proxies import haproxy_tcp, nginx_http, nginx_stream, socat
from backend.core.workload.target import Target

Command = Callable[[ReverseProxySpec, int, Target], tuple[str, ...]]

REVERSE_PROXIES: Final[dict[ReverseProxyKind, Command]] = {
    ReverseProxyKind.NGINX_STREAM: nginx_stream.command,
    ReverseProxyKind.NGINX_HTTP: nginx_http.command,
    ReverseProxyKind.HAPROXY_TCP: haproxy_tcp.command,
    ReverseProxyKind.SOCAT: socat.command,
}
"""`command(spec, port, upstream)`: listens on 127.0.0.1:port and relays to the upstream."""

"""The programs that can stand in front of a server: one file a front, each a command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from backend.core.topology.deployment import FrontSpec
from backend.core.topology.model import Front
from backend.core.workload.fronts import haproxy_tcp, nginx_http, nginx_stream, socat
from backend.core.workload.target import Target

Command = Callable[[FrontSpec, int, Target], tuple[str, ...]]

FRONTS: Final[dict[Front, Command]] = {
    Front.NGINX_STREAM: nginx_stream.command,
    Front.NGINX_HTTP: nginx_http.command,
    Front.HAPROXY_TCP: haproxy_tcp.command,
    Front.SOCAT: socat.command,
}
"""`command(spec, port, upstream)`: listens on 127.0.0.1:port and passes on to the upstream."""

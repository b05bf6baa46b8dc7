"""The engines, servers, reverse proxies and clients that a cell needs, and their memory.

All of a round's servers, reverse proxies and clients stay up between trials, one for each key. The figures of
memory are estimates, rounded from the resident size of such processes on Debian 12, x86-64, during
measurements; they are no limits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from backend.core.definition.factors import FACTORS, Level
from backend.core.plan.estimate import ResourceNeed
from backend.core.topology.deployment import (
    EngineSpec,
    ServerSpec,
    engine_spec,
    reverse_proxy_spec,
    server_spec,
)
from backend.core.topology.model import BARE, REMOTE, SOCKETS, PathDefinition, Vantage
from backend.core.topology.paths import PATHS

Levels = Mapping[str, Level]

ENGINE_MB: Final = 85
"""dockerd and containerd of one lab engine, in 10⁶ bytes as all of these figures."""
SERVER_MB: Final = {"postgres": 60, "pong": 10, "flask": 0, "iperf3_server": 10}
"""A server of each service just after its start; that of iperf3 is assumed to equal pong."""
FLASK_WORKER_MB: Final = 60
REVERSE_PROXY_MB: Final = 10
CLIENT_MB: Final = 10
SCALE_MB: Final = 20
"""One unit of pgbench's scale with its share of the write-ahead log, for data in memory."""
TABLES_MB: Final = 15
"""One unit of pgbench's scale in PostgreSQL's shared buffers."""


def resource_needs(levels: Levels, replica: int = 0) -> tuple[ResourceNeed, ...]:
    """Everything that a cell needs: engines, server, data, reverse proxy, client.

    `replica` selects one of several equal servers.
    """
    path = PATHS[str(levels["path"])]
    server = server_spec(levels, replica)
    bare = server.attachment in BARE
    found = [
        *_engines(engine_spec(levels), path),
        ResourceNeed(f"server {server.key}", not bare, _server_mb(server)),
        ResourceNeed(f"data {server.key} {levels.get('scale', 0)}", False, _data_mb(server, levels)),
    ]
    if (proxy := reverse_proxy_spec(levels)) is not None:
        found.append(ResourceNeed(f"reverse proxy {server.key} {proxy.key}", not bare, REVERSE_PROXY_MB))
    return (*found, *_client(path, server))


def _engines(engine: EngineSpec, path: PathDefinition) -> Iterator[ResourceNeed]:
    """The cell's engine, and that of the remote host where the path needs one; none for the host's own
    daemon."""
    if engine.kind != "host":
        yield ResourceNeed(f"engine {engine.key}", False, ENGINE_MB)
    if engine.kind == "swarm" or path.vantage in REMOTE:
        yield ResourceNeed("engine remote", False, ENGINE_MB)


def _server_mb(server: ServerSpec) -> int:
    workers = int(server.setting("app_workers")) if server.service == "flask" else 0
    return SERVER_MB[server.service] + FLASK_WORKER_MB * workers


def _data_mb(server: ServerSpec, levels: Levels) -> int:
    """pgbench's tables: in memory where `storage` is memory, and in the server's shared buffers."""
    if server.service != "postgres":
        return 0
    scale = int(levels.get("scale", FACTORS["scale"].default))
    buffers = min(int(server.setting("shared_buffers_mb")), TABLES_MB * scale)
    return buffers + (SCALE_MB * scale if server.setting("storage") == "memory" else 0)


def _client(path: PathDefinition, server: ServerSpec) -> Iterator[ResourceNeed]:
    """The container of the client: one for all servers of an engine, unless it shares a server's
    namespace."""
    if path.vantage is Vantage.SERVER_CONTAINER:
        return
    node = "remote" if path.vantage in REMOTE else server.engine.key
    network = server.attachment if path.vantage in _NETWORKED else path.vantage
    own = path.vantage is Vantage.SHARED_NAMESPACE or server.attachment in SOCKETS
    key = f"client {node} {path.vantage} {server.key}" if own else f"client {node} {network}"
    yield ResourceNeed(key, path.vantage is not Vantage.BARE_HOST, CLIENT_MB)


_NETWORKED: Final = frozenset((Vantage.SIBLING_CONTAINER, Vantage.REMOTE_CONTAINER))
"""Vantages on the server's own network: one client container for each network."""

"""What stands at once while a run goes on, and what it needs in memory.

All servers, fronts and clients of a round stay up between trials, one of each that differs; what makes
them differ is what `worker.trial` makes them by. The figures of memory are estimates: rounded from what
such processes held resident on Debian 12, x86-64, while they were measured; not what they may use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from backend.core.definition.factors import FACTORS, Level
from backend.core.plan.estimate import Standing
from backend.core.topology.deployment import EngineSpec, ServerSpec, engine_spec, front_spec, server_spec
from backend.core.topology.model import Attachment, PathDefinition, Vantage
from backend.core.topology.paths import PATHS

Levels = Mapping[str, Level]

ENGINE_MB: Final = 85
"""dockerd and containerd of one lab engine."""
SERVER_MB: Final = {"postgres": 60, "pong": 10, "flask": 0, "iperf3_server": 10}
"""A server of each service when it has just begun; iperf3's is taken to be like pong."""
FLASK_WORKER_MB: Final = 60
FRONT_MB: Final = 10
CLIENT_MB: Final = 10
SCALE_MB: Final = 20
"""One unit of pgbench's scale with its share of write-ahead log, where the data lies in memory."""
TABLES_MB: Final = 15
"""One unit of pgbench's scale as PostgreSQL's buffers hold it."""

_BARE: Final = frozenset((Attachment.BARE, Attachment.BARE_SOCKET))
_SOCKETS: Final = frozenset((Attachment.SOCKET, Attachment.BARE_SOCKET))
_REMOTE: Final = frozenset((Vantage.REMOTE_HOST, Vantage.REMOTE_CONTAINER))


def standings(levels: Levels, replica: int = 0) -> tuple[Standing, ...]:
    """Everything that a cell needs to stand: engines, server with its data, front, client.

    `replica` is which of several equal servers serves it.
    """
    path = PATHS[str(levels["path"])]
    server = server_spec(levels, replica)
    bare = server.attachment in _BARE
    found = [
        *_engines(engine_spec(levels), path),
        Standing(f"server {server.key}", not bare, _server_mb(server)),
        Standing(f"data {server.key} {levels.get('scale', 0)}", False, _data_mb(server, levels)),
    ]
    if (front := front_spec(levels)) is not None:
        found.append(Standing(f"front {server.key} {front.key}", not bare, FRONT_MB))
    return (*found, *_client(path, server))


def _engines(engine: EngineSpec, path: PathDefinition) -> Iterator[Standing]:
    """The engine, and the other host where the path reaches it. The host's own daemon is there anyway."""
    if engine.kind != "host":
        yield Standing(f"engine {engine.key}", False, ENGINE_MB)
    if engine.kind == "swarm" or path.vantage in _REMOTE:
        yield Standing("engine remote", False, ENGINE_MB)


def _server_mb(server: ServerSpec) -> int:
    workers = int(server.setting("app_workers")) if server.service == "flask" else 0
    return SERVER_MB[server.service] + FLASK_WORKER_MB * workers


def _data_mb(server: ServerSpec, levels: Levels) -> int:
    """pgbench's tables: in memory where the storage is, and in the server's buffers as far as they go."""
    if server.service != "postgres":
        return 0
    scale = int(levels.get("scale", FACTORS["scale"].default))
    buffers = min(int(server.setting("shared_buffers_mb")), TABLES_MB * scale)
    return buffers + (SCALE_MB * scale if server.setting("storage") == "memory" else 0)


def _client(path: PathDefinition, server: ServerSpec) -> Iterator[Standing]:
    """The client's place: shared by all servers of an engine unless it is in a server's own namespace."""
    if path.vantage is Vantage.SERVER_CONTAINER:
        return
    node = "remote" if path.vantage in _REMOTE else server.engine.key
    network = server.attachment if path.vantage in _NETWORKED else path.vantage
    own = path.vantage is Vantage.SHARED_NAMESPACE or server.attachment in _SOCKETS
    key = f"client {node} {path.vantage} {server.key}" if own else f"client {node} {network}"
    yield Standing(key, path.vantage is not Vantage.BARE_HOST, CLIENT_MB)


_NETWORKED: Final = frozenset((Vantage.SIBLING_CONTAINER, Vantage.REMOTE_CONTAINER))
"""Clients on the server's own network: one on each."""

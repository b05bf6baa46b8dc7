"""The Go service of whoisnian-2024: net/http, one constant answer."""

from __future__ import annotations

from collections.abc import Mapping

from backend.core.topology.deployment import ServerSpec
from backend.core.workload.services.http import request
from backend.core.workload.services.model import SOCKETS, Listen, Service

PORT = 8080
SOCKET = f"{SOCKETS}/app.sock"
MEMORY_BYTES = 1024**3


def _command(_spec: ServerSpec, listen: Listen) -> tuple[str, ...]:
    return ("pong", "-listen", f"unix:{SOCKET}" if listen.socket else f"{listen.address}:{listen.port}")


def _environment(spec: ServerSpec, _listen: Listen) -> Mapping[str, str]:
    count = int(spec.setting("gomaxprocs"))
    return {"GOMAXPROCS": str(count)} if count else {}


SERVICE = Service(
    name="pong",
    port=PORT,
    command=_command,
    ready=lambda target: request("/ping", target),
    replied=lambda code, output: code == 0 and output.strip() == "pong",
    environment=_environment,
    socket=SOCKET,
    socket_file=SOCKET,
    memory_bytes=MEMORY_BYTES,
)

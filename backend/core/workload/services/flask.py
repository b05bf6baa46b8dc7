"""The Flask application of myhro-2017 under gunicorn's sync workers, on TCP or on a Unix socket."""

from __future__ import annotations

from backend.core.topology.deployment import ServerSpec
from backend.core.workload.services.http import request
from backend.core.workload.services.model import SOCKETS, Listen, Service, no_environment

PORT = 8000
SOCKET = f"{SOCKETS}/app.sock"
MEMORY_BYTES = 1024**3


def _command(spec: ServerSpec, listen: Listen) -> tuple[str, ...]:
    bind = f"unix:{SOCKET}" if listen.socket else f"{listen.address}:{listen.port}"
    return ("serve-flask", bind, str(spec.setting("app_workers")))


SERVICE = Service(
    name="flask",
    port=PORT,
    command=_command,
    ready=lambda target: request("/", target),
    replied=lambda code, output: code == 0 and "Hello there!" in output,
    environment=no_environment,
    socket=SOCKET,
    socket_file=SOCKET,
    memory_bytes=MEMORY_BYTES,
)

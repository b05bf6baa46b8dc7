"""iperf3's server. It serves one test at a time; the worker runs one trial at a time."""

from __future__ import annotations

from backend.core.topology.deployment import ServerSpec
from backend.core.workload.services.model import Listen, Service, answered, no_environment
from backend.core.workload.target import Target

PORT = 5201
MEMORY_BYTES = 1024**3


def _command(_spec: ServerSpec, listen: Listen) -> tuple[str, ...]:
    return ("iperf3", "-s", "-p", str(listen.port), "-B", listen.address)


def _ready(target: Target) -> tuple[str, ...]:
    """A test of one block, which only an idle server completes."""
    return ("iperf3", "-c", target.address, "-p", str(target.port), "-n", "1", "--connect-timeout", "1000")


SERVICE = Service(
    name="iperf3_server",
    port=PORT,
    command=_command,
    ready=_ready,
    replied=answered,
    environment=no_environment,
    memory_bytes=MEMORY_BYTES,
    udp=True,
)

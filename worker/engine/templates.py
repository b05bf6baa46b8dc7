"""The containers of a deployment: everything that the worker, and only the worker, decides.

A request reaches these templates through typed levels alone. The test of the golden container settings
compares what Docker reports of each with a checked-in file.
"""

from __future__ import annotations

from collections.abc import Mapping

from backend.core.topology.deployment import FrontSpec, ServerSpec
from backend.core.workload.services.model import SOCKETS, Listen, Service
from worker.engine.protocol import ContainerSpec
from worker.host.environment import memory_of_host

USER = 10001
MIB = 1024 * 1024
DATA = "/data"
OWNED = f"uid={USER},gid={USER},mode=0700"
TMPFS = f"rw,nosuid,nodev,noexec,{OWNED}"
BASE_DATA_BYTES = 512 * MIB
BYTES_PER_SCALE = 20 * MIB
"""pgbench's tables take about 15 MiB a scale unit; the rest is room for write-ahead log."""


def max_scale() -> int:
    """The largest scale whose tables fit into half of what the server may use."""
    return max(1, (memory_of_host() // 4 - BASE_DATA_BYTES) // BYTES_PER_SCALE)


def server(
    image: str,
    spec: ServerSpec,
    service: Service,
    listen: Listen,
    network: str,
    published: int,
    publish_on: str,
) -> ContainerSpec:
    """The server of a deployment; `published` is the host's port, 0 where nothing is published."""
    memory = int(spec.setting("server_memory_mb")) * MIB or service.memory_bytes or memory_of_host() // 2
    storage = str(spec.setting("storage")) if service.name == "postgres" else "none"
    return ContainerSpec(
        name=f"plimsoll-server-{spec.key}",
        image=image,
        command=service.command(spec, listen),
        network=network,
        memory_bytes=memory,
        tmpfs={"/tmp": f"{TMPFS},size={64 * MIB}"}
        | ({DATA: f"{TMPFS},size={memory // 2}"} if storage == "memory" else {}),
        published={listen.port: published} if published else {},
        published_udp={listen.port: published} if published and service.udp else {},
        publish_on=publish_on,
        environment=dict(service.environment(spec, listen)),
        volumes=socket_volume(spec, listen.socket)
        | ({DATA: f"plimsoll-data-{spec.key}"} if storage == "volume" else {}),
        writable_root=storage == "layer",
        cpus=int(spec.setting("server_cpus")),
        cpuset=str(spec.setting("server_cpuset")),
        shm_bytes=256 * MIB,
    )


def socket_volume(spec: ServerSpec, wanted: bool) -> dict[str, str]:
    """The volume in which a server leaves its Unix socket for those who share it."""
    return {SOCKETS: f"plimsoll-sockets-{spec.key}"} if wanted else {}


def client(image: str, name: str, network: str, volumes: Mapping[str, str] | None = None) -> ContainerSpec:
    """A place for the client: the same image, waiting for commands, in another network namespace."""
    return ContainerSpec(
        name=name,
        image=image,
        command=("sleep", "infinity"),
        network=network,
        memory_bytes=1024 * MIB,
        tmpfs={"/tmp": f"{TMPFS},size={64 * MIB}"},
        volumes=dict(volumes or {}),
    )


def reverse_proxy(
    image: str, spec: FrontSpec, server: ServerSpec, command: tuple[str, ...], volumes: Mapping[str, str]
) -> ContainerSpec:
    """A program in front of a server, in the engine's own network namespace."""
    return ContainerSpec(
        name=f"plimsoll-front-{spec.key}-{server.key}",
        image=image,
        command=command,
        network="host",
        memory_bytes=1024 * MIB,
        tmpfs={"/tmp": f"{TMPFS},size={64 * MIB}"},
        volumes=dict(volumes),
        cpuset=str(spec.setting("proxy_cpuset")) if "proxy_cpuset" in dict(spec.settings) else "",
    )

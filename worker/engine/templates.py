"""The containers of a deployment. A request reaches these templates through typed levels alone.

A test compares Docker's description of each container with a checked-in golden file.
"""

from __future__ import annotations

from collections.abc import Mapping

from backend.core.topology.deployment import ReverseProxySpec, ServerSpec
from backend.core.workload.services.model import SOCKETS, Listen, Service
from worker.engine.protocol import USER, ContainerSpec
from worker.host.environment import memory_of_host

MIB = 1024 * 1024
DATA = "/data"
OWNED = f"uid={USER},gid={USER},mode=0700"
TMPFS = f"rw,nosuid,nodev,noexec,{OWNED}"
BASE_DATA_BYTES = 512 * MIB
BYTES_PER_SCALE = 20 * MIB
"""pgbench's tables need about 15 MiB a scale unit; the rest is for write-ahead log."""


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
    """The server of a deployment; `published` is the host's port, 0 where none is published."""
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
    """The shared volume of a server's Unix socket."""
    return {SOCKETS: f"plimsoll-sockets-{spec.key}"} if wanted else {}


def client(image: str, name: str, network: str, volumes: Mapping[str, str] | None = None) -> ContainerSpec:
    """A client's container: the same image, which waits for commands, in the network of its path."""
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
    image: str,
    spec: ReverseProxySpec,
    server: ServerSpec,
    command: tuple[str, ...],
    volumes: Mapping[str, str],
) -> ContainerSpec:
    """A reverse proxy in front of a server, in the engine's own network namespace."""
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

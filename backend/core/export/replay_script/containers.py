"""The containers of a cell, as settings of `docker run`.

The worker has the same settings in its own templates; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from backend.core.topology.deployment import ReverseProxySpec, ServerSpec
from backend.core.workload.services.model import SOCKETS, Listen, Service

MIB: Final = 1024 * 1024
DATA: Final = "/data"
TMPFS: Final = "rw,nosuid,nodev,noexec,uid=10001,gid=10001,mode=0700"
HALF: Final = "half of the host's memory"
CLIENT_BYTES: Final = 1024 * MIB


@dataclass(frozen=True)
class Box:
    """One container. `memory` in bytes, or HALF; `data_in_memory` puts half of it under DATA.

    `volumes` maps a directory to the volume's role, "data" or "sockets".
    """

    command: tuple[str, ...]
    memory: int | str = CLIENT_BYTES
    data_in_memory: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    volumes: Mapping[str, str] = field(default_factory=dict)
    writable_root: bool = False
    cpus: int = 0
    cpuset: str = ""
    pids_limit: int = 1024
    shm_bytes: int = 64 * MIB


def server_box(spec: ServerSpec, service: Service, listen: Listen) -> Box:
    """The server's container."""
    storage = str(spec.setting("storage")) if service.name == "postgres" else "none"
    return Box(
        command=service.command(spec, listen),
        memory=int(spec.setting("server_memory_mb")) * MIB or service.memory_bytes or HALF,
        data_in_memory=storage == "memory",
        environment=dict(service.environment(spec, listen)),
        volumes=sockets(listen) | ({DATA: "data"} if storage == "volume" else {}),
        writable_root=storage == "layer",
        cpus=int(spec.setting("server_cpus")),
        cpuset=str(spec.setting("server_cpuset")),
        shm_bytes=256 * MIB,
    )


def client_box(listen: Listen, cpuset: str) -> Box:
    """The client's container: the same image, waiting for commands."""
    return Box(command=("sleep", "infinity"), volumes=sockets(listen), cpuset=cpuset)


def reverse_proxy_box(spec: ReverseProxySpec, listen: Listen, command: tuple[str, ...]) -> Box:
    """The reverse proxy's container."""
    known = dict(spec.settings)
    return Box(command=command, volumes=sockets(listen), cpuset=str(known.get("proxy_cpuset", "")))


def sockets(listen: Listen) -> dict[str, str]:
    """The volume of the server's Unix socket, by its directory; empty without one."""
    return {SOCKETS: "sockets"} if listen.socket else {}


def flags(box: Box) -> tuple[str, ...]:
    """The options of `docker run`, as words of the shell; "$MEMORY" is half of the host's memory."""
    memory = '"${MEMORY}"' if box.memory == HALF else str(box.memory)
    half = "$((MEMORY / 2))" if box.memory == HALF else str(int(box.memory) // 2)
    return (
        "--cap-drop ALL --security-opt no-new-privileges",
        *(() if box.writable_root else ("--read-only",)),
        f"--memory {memory} --pids-limit {box.pids_limit} --shm-size {box.shm_bytes}",
        *((f"--cpus {box.cpus}",) if box.cpus else ()),
        *((f"--cpuset-cpus {box.cpuset}",) if box.cpuset else ()),
        f'--tmpfs "/tmp:{TMPFS},size={64 * MIB}"',
        *((f'--tmpfs "{DATA}:{TMPFS},size={half}"',) if box.data_in_memory else ()),
        *(f'--volume "${{NAME}}-{role}:{place}"' for place, role in box.volumes.items()),
        *(f"--env {name}={value}" for name, value in box.environment.items()),
    )

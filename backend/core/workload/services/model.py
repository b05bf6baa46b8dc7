"""The interface of a service: command, environment and readiness check."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from backend.core.topology.deployment import ServerSpec
from backend.core.workload.target import Target

SOCKETS = "/sockets"
"""The mount point of the volume of Unix sockets, in every container that shares it."""


@dataclass(frozen=True)
class Listen:
    """Where a server listens: a literal address and a port, or (`socket`) in the directory of sockets."""

    address: str
    port: int
    socket: bool = False


@dataclass(frozen=True)
class Service:
    """One service. `port` is its own inside a namespace of its own.

    `ready(target)` is the readiness command, run in the server's container; `replied(code, output)`
    says whether it succeeded. `socket` is the clients' argument for a Unix socket; `socket_file` the socket
    itself. `udp`: it listens there on both protocols. `memory_bytes` bounds it where the cell does not;
    `None` means half of the host.
    """

    name: str
    port: int
    command: Callable[[ServerSpec, Listen], tuple[str, ...]]
    ready: Callable[[Target], tuple[str, ...]]
    replied: Callable[[int, str], bool]
    environment: Callable[[ServerSpec, Listen], Mapping[str, str]]
    socket: str = ""
    socket_file: str = ""
    memory_bytes: int | None = None
    udp: bool = False


def no_environment(_spec: ServerSpec, _listen: Listen) -> Mapping[str, str]:
    """No variables: the command has every setting."""
    return {}


def answered(code: int, _output: str) -> bool:
    """Whether the readiness command succeeded."""
    return code == 0

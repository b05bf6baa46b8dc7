"""What a service is: its command, its environment, and how it shows that it replies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from backend.core.topology.deployment import ServerSpec
from backend.core.workload.target import Target

SOCKETS = "/sockets"
"""Where the volume of Unix sockets stands in every container that shares it."""


@dataclass(frozen=True)
class Listen:
    """Where a server listens: a literal address and a port, or (`socket`) in the directory of sockets."""

    address: str
    port: int
    socket: bool = False


@dataclass(frozen=True)
class Service:
    """One service. `port` is its own inside a namespace of its own.

    `ready(target)` is a command that asks for a reply, run beside the server; `replied(code, output)`
    says whether it came. `socket` is what clients are given of a Unix socket; `socket_file` the socket
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
    """A service that is set by its command alone."""
    return {}


def answered(code: int, _output: str) -> bool:
    """The command ended well, and that is the reply."""
    return code == 0

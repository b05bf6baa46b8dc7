"""What the worker needs from a Docker Engine: seven verbs, the values they take, and their order.

`ensure_network` before `create` on that network; `create` before `execute`; whoever creates removes,
or calls `remove_everything`. Every verb may be repeated: creating a container whose name exists
answers the existing one, removing a missing one is no error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol


class EngineUnavailable(RuntimeError):
    """The engine does not answer, or refuses for a reason that is not the caller's."""


@dataclass(frozen=True)
class ContainerSpec:
    """A container as the worker's own templates ask for it. Nothing here comes from a request.

    `network` is a network's name, "host" or "none". `tmpfs` maps a directory to its mount options;
    `published` maps a container port to a host port on all addresses; `memory_bytes` is a hard limit.
    """

    name: str
    image: str
    command: tuple[str, ...]
    network: str
    memory_bytes: int
    tmpfs: Mapping[str, str] = field(default_factory=dict)
    published: Mapping[int, int] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    pids_limit: int = 1024
    shm_bytes: int = 64 * 1024 * 1024


@dataclass(frozen=True)
class Container:
    """A running container: its id, the host's pid of its first process, and its addresses."""

    id: str
    name: str
    pid: int
    address: str | None
    gateway: str | None


class Execution(Protocol):
    """One command in a running container, held at a gate until it is released.

    The process exists from the beginning (`pid` is the host's), so that it can be moved to its own
    cgroup before it spends any CPU on the workload.
    """

    pid: int

    def release(self) -> None:
        """Open the gate: the command starts now."""

    def read(self, timeout_s: float) -> list[tuple[str, bytes]] | None:
        """Wait for output: (stream, bytes) pairs, an empty list on timeout, None at the end."""

    def exit_code(self) -> int:
        """The exit code, after `read` answered None."""

    def kill(self) -> None:
        """End the command and what it started; already ended is fine."""


class Engine(Protocol):
    """One Docker Engine with one fixed setting."""

    def answers(self) -> bool:
        """Whether the API replies now."""

    def load_image(self, path: str, tag: str) -> str:
        """Load an image archive unless the tag is there; returns the image id."""

    def ensure_network(self, name: str, bridge: str) -> None:
        """Make the user-defined bridge network, with this interface name, unless it exists."""

    def create(self, spec: ContainerSpec) -> Container:
        """Create and start a container; an existing one of that name is answered as it is."""

    def execute(self, container: Container, argv: Sequence[str]) -> Execution:
        """Prepare a command in a container, held at its gate."""

    def remove(self, name: str) -> None:
        """Remove a container and its volumes, by name."""

    def remove_everything(self) -> None:
        """Remove every container and network that Plimsoll made in this engine."""

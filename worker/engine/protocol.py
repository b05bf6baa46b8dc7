"""The interface of an engine: seven methods, their values, and their order.

`ensure_network` before `create` on that network; `create` before `execute` and `restart`; the caller of
`create` calls `remove` or `remove_everything`. Every method may be repeated: creating a container whose name
exists returns the existing one, removing a missing one is no error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

USER = 10001
"""The user of every process in a container and on the bare host."""
SHARING = "container:"
"""Prefix of `ContainerSpec.network` where a container joins another one's network namespace."""


@dataclass(frozen=True)
class ContainerSpec:
    """A container as the worker's templates define it. Nothing here comes from a request.

    `network` is a network's name, "bridge" (the default one), "host", "none" or "container:NAME".
    `tmpfs` maps a directory to its mount options, `volumes` a directory to a named volume that is made
    on first use and belongs to USER. `published` and `published_udp` map a container port to a host
    port on `publish_on` (a host address; empty: all). `memory_bytes` is a hard limit; `cpus` a quota in
    cores and `cpuset` a list such as "0-1", each unlimited where 0 or empty.
    """

    name: str
    image: str
    command: tuple[str, ...]
    network: str
    memory_bytes: int
    tmpfs: Mapping[str, str] = field(default_factory=dict)
    published: Mapping[int, int] = field(default_factory=dict)
    published_udp: Mapping[int, int] = field(default_factory=dict)
    publish_on: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    volumes: Mapping[str, str] = field(default_factory=dict)
    writable_root: bool = False
    cpus: int = 0
    cpuset: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    pids_limit: int = 1024
    shm_bytes: int = 64 * 1024 * 1024


@dataclass(frozen=True)
class NetworkSpec:
    """A network as the worker defines it.

    `bridge` is the interface name of a bridge network, `parent` the device below a macvlan or ipvlan
    one, `options` those of Docker's driver; an overlay is attachable and may be `encrypted`.
    """

    name: str
    driver: Literal["bridge", "macvlan", "ipvlan", "overlay"] = "bridge"
    bridge: str = ""
    parent: str = ""
    subnet: str = ""
    gateway: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    encrypted: bool = False


@dataclass(frozen=True)
class Container:
    """A running container: its id, the host's pid of its first process, and its addresses.

    `address` and `gateway` are those on its one network, None on "host", "none" and "container:NAME".
    """

    id: str
    name: str
    pid: int
    address: str | None
    gateway: str | None


class Execution(Protocol):
    """One command in a running container, which waits at a gate until it is released.

    Its process exists from the beginning (`pid` is the host's), so that it can be moved to a cgroup of its
    own before it uses any CPU for the workload.
    """

    pid: int

    def release(self) -> None:
        """Open the gate: the command starts now."""

    def read(self, timeout_s: float) -> list[tuple[str, bytes]] | None:
        """Wait for output: (stream, bytes) pairs, an empty list on timeout, None at the end."""

    def exit_code(self) -> int:
        """The exit code, after `read` has returned None."""

    def kill(self) -> None:
        """End the command and what it started; already ended is fine."""


class Engine(Protocol):
    """Runs containers, with fixed settings."""

    def answers(self) -> bool:
        """Whether it can be used now."""

    def ensure_network(self, spec: NetworkSpec) -> None:
        """Create the network unless one of that name exists."""

    def create(self, spec: ContainerSpec) -> Container:
        """Create and start a container; an existing one of that name is returned as it is."""

    def execute(self, container: Container, argv: Sequence[str]) -> Execution:
        """Prepare a command in a container, held at its gate."""

    def restart(self, name: str) -> Container:
        """Stop a container and start it again; layer and volumes stay, tmpfs is empty."""

    def remove(self, name: str) -> None:
        """Remove a container, and its volumes where no other container uses them."""

    def remove_everything(self) -> None:
        """Remove every container, network and volume that Plimsoll created in this engine."""

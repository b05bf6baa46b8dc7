"""What the path probe of one server reads, and the namespaces of its processes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from backend.core.topology.model import Namespace, Process
from worker.sample.counters import namespace_of

INIT = 1


@dataclass(frozen=True)
class ProbeTargets:
    """Namespaces, ports and devices. An empty name or None: this server has none.

    `engine_netns` is a name under /run/netns or an absolute path; `engine_pid` is dockerd. `port` is
    where the server listens in its own namespace, `published` the host's port for it, 0 for none.
    `socket` is the server's Unix socket as a path in its own root. `lan` is the engine's device on the link
    between the engines (empty on a host's own engine: its network card carries foreign traffic).
    `remote_pid` is dockerd of the other host, `overlay_netns` the file of the overlay's namespace.
    """

    engine_netns: str
    engine_pid: int
    server_pid: int
    port: int
    published: int = 0
    socket: Path | None = None
    user_bridge: str = "plm0"
    default_bridge: str = "docker0"
    routed_bridge: str = ""
    lan: str = ""
    remote_pid: int | None = None
    overlay_netns: Path | None = None

    @property
    def server_in_engine(self) -> bool:
        """Whether the server runs in the engine's own network namespace."""
        return namespace_of(self.server_pid) == namespace_of(self.engine_pid)

    def namespace(self, pid: int) -> Namespace | None:
        """Whose network namespace a client is in; None when it has ended."""
        identity = namespace_of(pid)
        if identity is None:
            return None
        if identity == namespace_of(self.engine_pid):
            return Namespace.ENGINE
        if identity == namespace_of(self.server_pid):
            return Namespace.SERVER
        if self.remote_pid is None:
            return Namespace.OWN
        remote = namespace_of(self.remote_pid)
        if identity == remote:
            return Namespace.REMOTE_ENGINE
        return Namespace.REMOTE_OWN if self._shim_namespace(pid) == remote else Namespace.OWN

    def process(self, pid: int) -> Process | None:
        """Whether a program is in the server's container, in another or in none; None when it has ended."""
        identity = namespace_of(pid, "pid")
        if identity is None:
            return None
        if identity == namespace_of(self.engine_pid, "pid"):
            return Process.BARE
        same = identity == namespace_of(self.server_pid, "pid")
        return Process.SERVER_CONTAINER if same else Process.OTHER_CONTAINER

    def _shim_namespace(self, pid: int) -> str | None:
        """The network namespace of a container's shim (containerd's), its first ancestor outside it.

        A lab engine's shims run in the engine's namespace; they identify the node of a container whose own
        namespace belongs to neither.
        """
        outside = namespace_of(self.engine_pid, "pid")
        for ancestor in _ancestors(pid):
            if namespace_of(ancestor, "pid") == outside:
                return namespace_of(ancestor)
        return None


def _ancestors(pid: int) -> Iterator[int]:
    with contextlib.suppress(OSError, ValueError, IndexError):
        while pid > INIT:
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
            yield pid

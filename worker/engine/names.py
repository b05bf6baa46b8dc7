"""Names, addresses and places of the lab engines: everything that must be unique on the host."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

LAB_ADDRESSES = "198.18.0.0/15"
"""RFC 2544, set aside for benchmarks: cannot collide with a user's networks."""

BENCH_NETWORK = "plimsoll-bench"
BENCH_BRIDGE = "plm0"
SERVER_PORT = 5432


@dataclass(frozen=True)
class EngineNames:
    """Where one lab engine lives. `key` is short and unique on the host, e.g. "plm1a2b3c-on".

    `runtime` holds the sockets and must be short (Unix socket paths end at 107 bytes); `data` keeps
    the engine's images between starts.
    """

    key: str
    runtime: Path
    data: Path

    @property
    def netns(self) -> str:
        """Name of the engine's network namespace under /run/netns."""
        return self.key

    @property
    def docker_socket(self) -> Path:
        """The engine's API socket."""
        return self.runtime / "docker.sock"

    @property
    def containerd_socket(self) -> Path:
        """The private containerd's socket."""
        return self.runtime / "containerd.sock"

    @property
    def exec_root(self) -> Path:
        """dockerd's exec root."""
        return self.runtime / "exec"

    @property
    def cgroup(self) -> str:
        """Parent cgroup of everything that runs in the engine."""
        return f"/{self.key}"


def engine_names(install_id: str, runtime_dir: Path, var_dir: Path, setting: str) -> EngineNames:
    """Names of the engine for one userland-proxy setting ("on" or "off") or purpose ("build")."""
    return EngineNames(
        key=f"plm{install_id}-{setting}",
        runtime=runtime_dir / "engines" / setting,
        data=var_dir / "engines" / setting,
    )

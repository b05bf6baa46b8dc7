"""Names, addresses and folders of the lab engines: everything that must be unique on the host."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

LAB_PREFIX = "plm"
"""Prefix of the names of lab engines and of their network namespaces and cgroups."""
LAB_ADDRESSES = "198.18.0.0/15"
"""RFC 2544, reserved for benchmarks. Each lab engine has it in a network namespace of its own: a host may use
it for other things, as Clash does for its TUN device. A host's own network: worker.engine.host_bridge."""

USER_NETWORK = "plimsoll-bench"
USER_BRIDGE = "plm0"
HOST_LINK = "lan0"
"""Each lab engine's network device on the link between the engines."""
OVERLAY_NETWORK = "plimsoll-overlay"
OVERLAY_ENCRYPTED_NETWORK = "plimsoll-overlay-encrypted"
OVERLAY_ADDRESSES = "198.19.128.0/17"
"""The upper quarter of LAB_ADDRESSES: the address pool of the swarm's overlay networks."""
LINK_ADDRESSES = {
    "on": "198.18.1.1",
    "off": "198.18.1.2",
    "swarm": "198.18.1.3",
    "remote": "198.18.1.4",
}
"""Each engine's own address on the link between the engines, by the setting in its name."""
FIRST_PROGRAM = 10


def program_address(index: int) -> str:
    """The address on that link of the engine of the registered proxy program number `index`, from 0."""
    if not 0 <= index < 255 - FIRST_PROGRAM:
        raise ValueError(
            f"there are addresses for {255 - FIRST_PROGRAM} proxy programs, not for number {index}"
        )
    return f"198.18.1.{FIRST_PROGRAM + index}"


@dataclass(frozen=True)
class InstallPaths:
    """One installation: its id, its runtime folder (sockets) and its folder of files that stay."""

    install_id: str
    runtime: Path
    var: Path


@dataclass(frozen=True)
class EngineNames:
    """Names and folders of one lab engine. `key` is short and unique on the host, e.g. "plm1a2b3c-on".

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


def engine_names(install: InstallPaths, setting: str) -> EngineNames:
    """Names of the engine for one setting ("on", "off", "swarm", ...) or purpose ("build")."""
    return EngineNames(
        key=f"{LAB_PREFIX}{install.install_id}-{setting}",
        runtime=install.runtime / "engines" / setting,
        data=install.var / "engines" / setting,
    )

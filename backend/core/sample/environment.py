"""Names of the facts in a run's environment. Stored runs and exports have them: they never change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

HOST: Final = "host"
OS: Final = "os"
ARCHITECTURE: Final = "architecture"
CPU: Final = "cpu"
CORES: Final = "cores"
MEMORY: Final = "memory"
KERNEL: Final = "kernel"
BOOT_ID: Final = "boot id"
CLOCKSOURCE: Final = "clocksource"
CPU_GOVERNOR: Final = "cpu governor"
CGROUP_VERSION: Final = "cgroup version"
IRQ_TIME: Final = "interrupt time kept apart"
OBSERVERS: Final = "observers"
IMAGE: Final = "image"
IMAGE_ID: Final = "image id"
DOCKER_PROXY: Final = "docker-proxy sha256"

SYSCTL: Final = "sysctl "
ENGINE: Final = "engine "
SERVER: Final = "server "
"""Prefixes of the names of a kernel setting, of a fact of a Docker daemon and of a server's setting."""

HOST_FACTS: Final = (HOST, OS, KERNEL, ARCHITECTURE, CPU, CORES, MEMORY)
"""The facts that identify a host, in the order in which exports list them."""
CLIENT_HOST: Final = "client host"
"""The host that ran the clients of remote paths, and the prefix of its own facts: "client host kernel"."""
FACTS: Final = (
    *HOST_FACTS,
    *(BOOT_ID, CLOCKSOURCE, CPU_GOVERNOR, CGROUP_VERSION, IRQ_TIME, OBSERVERS, IMAGE, DOCKER_PROXY),
    *(CLIENT_HOST, *(f"{CLIENT_HOST} {fact}" for fact in HOST_FACTS[1:])),
    *("baseline", "environment", "evidence", IMAGE_ID),
)
"""Every key of an environment or of differences between runs that is a name, without a part that varies; and
those of an engine's facts that are words."""


def of_client_host(name: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of a client host, as they are in the environment of a run that names it."""
    known = {fact: facts[fact] for fact in HOST_FACTS if fact != HOST and fact in facts}
    return {CLIENT_HOST: name} | {f"{CLIENT_HOST} {fact}": value for fact, value in known.items()}

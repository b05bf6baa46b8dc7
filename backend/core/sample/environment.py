"""Names of the facts in a run's environment. Stored runs and exports have them: they never change."""

from __future__ import annotations

from typing import Final

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
DOCKER_PROXY: Final = "docker-proxy sha256"

SYSCTL: Final = "sysctl "
ENGINE: Final = "engine "
SERVER: Final = "server "
"""Prefixes of the names of a kernel setting, of a fact of a Docker daemon and of a server's setting."""

HOST_FACTS: Final = (HOST, OS, KERNEL, ARCHITECTURE, CPU, CORES, MEMORY)
"""The facts that identify a host, in the order in which exports list them."""

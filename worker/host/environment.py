"""The environment of a run: the facts of the host that its results depend on.

What is read when:
- at the start of the worker, and whenever its engines changed: everything (`host_environment`), with the
  versions and settings of engines, image and tools (`worker.topology.run_environment`);
- before each claim: what can change while the host runs (`changing_environment`), so that a run has what its
  first claim found;
- in each trial: kernel, clocksource, governor and kernel settings (`trial_environment`), so that a result
  warns of a change between its trials.
The last two read some ten small files and start no process.
"""

from __future__ import annotations

import os
import platform
from pathlib import Path

from backend.core.sample import environment as names

ROOT = Path("/")
"""The folder with /proc, /sys and /etc."""
SYSCTLS = (
    "net/core/somaxconn",
    "net/ipv4/ip_local_port_range",
    "net/ipv4/tcp_congestion_control",
    "net/ipv4/tcp_rmem",
    "net/ipv4/tcp_wmem",
    "net/bridge/bridge-nf-call-iptables",
)


def host_environment() -> dict[str, str]:
    """Facts of the host, by name; what cannot be read is "unknown"."""
    fixed = {
        names.HOST: platform.node(),
        names.ARCHITECTURE: platform.machine(),
        names.CPU: _cpu_model(),
    }
    return fixed | changing_environment()


def changing_environment() -> dict[str, str]:
    """The facts of the host that can change without a restart of the worker; under 1 ms to read."""
    return {
        names.OS: _os_name(),
        names.CORES: str(os.cpu_count() or "unknown"),
        names.MEMORY: f"{memory_of_host() / 2**30:.1f} GiB",
    } | trial_environment()


def trial_environment() -> dict[str, str]:
    """The facts of the host that the record of each trial has; under 1 ms to read."""
    settings = {names.SYSCTL + name.replace("/", "."): _sysctl(name) for name in SYSCTLS}
    return settings | {
        names.KERNEL: os.uname().release,
        names.BOOT_ID: _read("proc/sys/kernel/random/boot_id"),
        names.CLOCKSOURCE: _read("sys/devices/system/clocksource/clocksource0/current_clocksource"),
        names.CPU_GOVERNOR: _read("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
    }


def memory_of_host() -> int:
    """The host's memory in bytes."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _read(path: str) -> str:
    try:
        return (ROOT / path).read_text().strip() or "unknown"
    except OSError:
        return "unknown"


def _sysctl(name: str) -> str:
    return " ".join(_read(f"proc/sys/{name}").split())


def _os_name() -> str:
    for line in _read("etc/os-release").splitlines():
        if line.startswith("PRETTY_NAME="):
            return line.partition("=")[2].strip('"')
    return "unknown"


def _cpu_model() -> str:
    for line in _read("proc/cpuinfo").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return "unknown"

"""The environment of a run: the facts of the host that its results depend on."""

from __future__ import annotations

import os
import platform
from pathlib import Path

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
    facts = {
        "host": platform.node(),
        "os": _os_name(),
        "architecture": platform.machine(),
        "cpu": _cpu_model(),
        "cores": str(os.cpu_count() or "unknown"),
        "memory": f"{memory_of_host() / 2**30:.1f} GiB",
    } | trial_environment()
    facts |= {f"sysctl {name.replace('/', '.')}": _sysctl(name) for name in SYSCTLS}
    return facts


def trial_environment() -> dict[str, str]:
    """The facts of the host that can change during a run; about 0.1 ms to read."""
    return {
        "kernel": os.uname().release,
        "boot id": _read("/proc/sys/kernel/random/boot_id"),
        "clocksource": _read("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
        "cpu governor": _read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
    }


def memory_of_host() -> int:
    """The host's memory in bytes."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _read(path: str) -> str:
    try:
        return Path(path).read_text().strip() or "unknown"
    except OSError:
        return "unknown"


def _sysctl(name: str) -> str:
    return " ".join(_read(f"/proc/sys/{name}").split())


def _os_name() -> str:
    for line in _read("/etc/os-release").splitlines():
        if line.startswith("PRETTY_NAME="):
            return line.partition("=")[2].strip('"')
    return "unknown"


def _cpu_model() -> str:
    for line in _read("/proc/cpuinfo").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return "unknown"
